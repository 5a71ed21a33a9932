import CallSupport
import Fingerpost
import FingerpostCallbacks
import Foundation
import TestSupport
import Testing

/// Compiles and runs the code about Decree of the article MovingFromSmallLibraries and the code of FingerpostCallbacks,
/// and what the tables of the article say.
@Suite(.inTurn) struct MovingFromDecreeTests {
    struct CheckStatus: Endpoint {
        var path: RoutePath { "status" }
    }

    struct Login: Endpoint {
        struct Body: Encodable, Sendable {
            let username: String
            let password: String
        }
        struct Response: Decodable, Sendable {
            let token: String
        }
        let body: Body

        var method: HTTPMethod { .post }
        var path: RoutePath { "login" }
        var authorization: AuthorizationPolicy { .none }
    }

    struct Search: Endpoint {
        struct Body: Encodable, Sendable {
            let text: String
            let tags: [String]
        }
        typealias Response = [String]
        let body: Body

        var method: HTTPMethod { .post }
        var path: RoutePath { "search" }
        var encoding: ParameterEncoding? { .form }
    }

    private let password = "p"
    private let transport = StubTransport(200, [:], #"{"token": "t"}"#)

    @Test func `The async call returns the token`() async throws {
        let client = transport.client()
        let token = try await client.send(
            Login(body: .init(username: "ali", password: password))
        ).token
        #expect(token == "t")
        #expect(transport.requests[0].httpBody == Data(#"{"password":"p","username":"ali"}"#.utf8))
        try await client.send(CheckStatus())
    }

    @Test func `The callback gets the token`() async {
        let client = transport.client()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func print(_ item: Any) {
                #expect(item as? String == "t")
                continuation.resume()
            }
            let task = client.request(
                Login(body: .init(username: "ali", password: password))
            ) { result in
                switch result {
                case .success(let response): print(response.token)
                case .failure(let error): print(error)
                }
            }
            withExtendedLifetime(task) {}
        }
    }

    @Test func `The blocking call returns the token`() async throws {
        let client = transport.client()
        let password = password
        let token = await withCheckedContinuation { continuation in
            let thread = Thread {
                func script() throws -> String {
                    let token = try client.blocking.send(
                        Login(body: .init(username: "ali", password: password))
                    ).token
                    return token
                }
                continuation.resume(returning: Result { try script() })
            }
            thread.start()
        }
        #expect(try token.get() == "t")
    }

    @Test func `The client has the settings of the service`() {
        let configuration = APIClient.example(token: "t").configuration
        #expect(configuration.baseURL?.host == "example.com")
        #expect(configuration.headers["X-Version"] == "7")
        let request = URLRequest(url: URL(string: "https://example.com")!)
        #expect(throws: ServiceError.self) {
            let body = Data(#"{"success": false, "message": "closed"}"#.utf8)
            let refused = Response(status: 200, data: body, request: request)
            try configuration.validate?(refused, Route.get("x"))
        }
    }

    @Test func `An error body with a success status becomes the error's response`() async throws {
        let validate = APIClient.example(token: "t").configuration.validate
        let client = StubTransport(200, [:], #"{"success": false, "message": "closed"}"#)
            .client { $0.validate = validate }
        let error = await #expect(throws: APIError.self) { try await client.send(CheckStatus()) }
        #expect((error?.response as? ServiceError)?.message == "closed")
        #expect(error?.serverMessage == "closed")
        #expect(error?.kind == .status(200))
    }

    nonisolated struct Head: Decodable, Sendable {
        let status: String
    }

    struct Unsuccessful: Error {}

    @Test func `A response is unwrapped, and the head of its wrapper checked`() async throws {
        let wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { head in
            if head.status != "ok" { throw Unsuccessful() }
        }
        func client(_ body: String) -> APIClient {
            StubTransport(200, [:], body).client { configuration in
                configuration.wrapper = wrapper
            }
        }
        #expect(try await client(#"{"status": "ok", "data": [1]}"#).send(Route.get("x"), as: [Int].self) == [1])
        let error = await #expect(throws: APIError.self) {
            try await client(#"{"status": "no"}"#).send(Route.get("x"))
        }
        #expect(error?.underlying is Unsuccessful)
    }

    @Test func `The error body is decoded as the service's type`() async throws {
        let client = StubTransport(400, [:], #"{"message": "closed"}"#).client { $0.errorResponse = ServiceError.self }
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        do {
            try await client.send(CheckStatus())
        } catch {
            if let problem = error.response as? ServiceError {
                print(problem.message)
            }
        }
        #expect(printed == ["closed"])
    }

    @Test func `Input is sent as a form with brackets for arrays`() async throws {
        let transport = StubTransport(200, [:], "[]")
        let client = transport.client { configuration in
            configuration.dialect = .rails
        }
        _ = try await client.send(Search(body: .init(text: "a b", tags: ["x", "y"])))
        #expect(transport.requests[0].httpBody == Data("text=a+b&tags%5B%5D=x&tags%5B%5D=y".utf8))
    }
}

nonisolated struct BasicResponse: Decodable {
    let success: Bool
}

struct ServiceError: ErrorResponse, Error {
    let message: String
}

extension APIClient {
    static func example(token: String) -> APIClient {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase

        var configuration = Configuration()
        configuration.decoder = decoder
        configuration.headers["X-Version"] = "7"
        configuration.authorization = .bearer(token)
        configuration.errorResponse = ServiceError.self
        configuration.validate = { response, _ in
            let data = response.data
            let basic = try decoder.decode(BasicResponse.self, from: data)
            if !basic.success {
                throw try decoder.decode(ServiceError.self, from: data)
            }
        }
        return APIClient(
            baseURL: URL(string: "https://example.com")!, configuration)
    }
}
