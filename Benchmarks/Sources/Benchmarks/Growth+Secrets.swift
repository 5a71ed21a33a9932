import Fingerpost
import Foundation

// Texts that are composed without the secrets of a call. The server decides how many there are.
extension Growth {
    static let secrets = [
        errorOfTokens, errorOfNames, errorOfSigns, errorOfPasswords, decodingOfTokens, logOfTokens, curlOfNames,
        longSecret, similarSecrets,
    ]

    /// An error whose answer issues n tokens, with a message that begins like each of them.
    private static let errorOfTokens = Growth("error-tokens", 100) { count in
        let tokens = (0..<count).map { #"{"token": "aaaaaaab\#($0)"}"# }.joined(separator: ",")
        let message = String(repeating: "a", count: 25 * count)
        return failing(422, #"{"message": "\#(message)", "t": [\#(tokens)]}"#) { "\($0)" }
    }

    /// An error of a text with n names of secrets.
    private static let errorOfNames = Growth("error-names", 100) { count in
        let names = (0..<count).map { "token\($0)=0123456789abcdef\($0)" }.joined(separator: " ")
        return failing(500, #"{"message": "\#(names)"}"#) { "\($0)" }
    }

    /// An error whose message has n signs after names: 900 kB at last, just below the largest body that is read.
    private static let errorOfSigns = Growth("error-signs", 4_500, target: .milliseconds(200)) { count in
        failing(422, #"{"message": "\#(String(repeating: "a:", count: count))"}"#) { "\($0)" }
    }

    /// An error of a request with n passwords: 500 kB at last.
    private static let errorOfPasswords = Growth("error-passwords", 100, target: .milliseconds(200)) { count in
        let users = (0..<count).map { number -> Parameters in
            ["name": "user\(number)", "password": "p4ss-word-number-\(number)"]
        }
        return failing(422, #"{"message": "no"}"#, Route.post("x").json(["users": users] as Parameters)) { "\($0)" }
    }

    /// An answer with n tokens that does not decode.
    private static let decodingOfTokens = Growth("decoding-tokens", 100) { count in
        let tokens = (0..<count).map { #"{"token": "0123456789abcdef\#($0)"}"# }.joined(separator: ",")
        return failing(200, "[\(tokens)]") { "\($0)" }
    }

    /// The line of a call whose answer has n tokens.
    private static let logOfTokens = Growth("log-tokens", 100) { count in
        let tokens = (0..<count).map { #"{"token": "0123456789abcdef\#($0)"}"# }.joined(separator: ",")
        let client = client(200, "[\(tokens)]").with { $0.observers.append(CallLogger { blackHole($0) }) }
        return { blackHole(try await client.data(for: Route.get("x"))) }
    }

    /// The command of a request with n passwords.
    private static let curlOfNames = Growth("curl-names", 10) { count in
        var route = Route.post("x")
        route.parameters = Parameters()
        for number in 0..<count { route.parameters?.append("password\(number)", "0123456789abcdef\(number)") }
        return failing(500, "{}", route) { $0.curl }
    }

    /// A secret and a message that both repeat one letter.
    private static let longSecret = Growth("long-secret", 600) { count in
        let message = String(repeating: "a", count: count)
        let route = Route.get("x").header("X-Api-Key", message.dropLast(count / 2) + "b")
        return failing(500, #"{"message": "\#(message)"}"#, route) { "\($0)" }
    }

    /// Secrets that begin alike, such as cookies, all in one message.
    private static let similarSecrets = Growth("similar-secrets", 20) { count in
        let cookies = (0..<count).map { "c\($0)=cookie-\($0)-value" }.joined(separator: "; ")
        return failing(500, #"{"message": "\#(cookies)"}"#, Route.get("x").header("Cookie", cookies)) { "\($0)" }
    }

    private static func client(_ status: Int, _ body: String) -> APIClient {
        let body = Data(body.utf8)
        return answeringClient { request in
            Response(status: status, headers: [.contentType: "application/json"], data: body, request: request)
        }
    }

    /// A call that fails, whose error is shown.
    private static func failing(
        _ status: Int, _ body: String, _ route: Route = .get("x"), show: @escaping @Sendable (APIError) -> String?
    ) -> Work {
        let client = client(status, body)
        return {
            do throws(APIError) {
                blackHole(try await client.send(route, as: [String: Int].self))
            } catch { blackHole(show(error)) }
        }
    }
}
