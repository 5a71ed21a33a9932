import CallSupport

@testable import Fingerpost

/// Custom decoders for content types other than JSON.
@Suite("Decoding other formats", .inTurn)
struct DecodingOtherFormatsTests {
    struct Item: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    /// Reads lines of `name=value`, converts them to JSON and uses `JSONDecoder`.
    struct LinesDecoder: BodyDecoder {
        struct Malformed: Error, CustomStringConvertible {
            let line: Int
            var description: String { "line \(line) has no =" }
        }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            var fields: [String: Any] = [:]
            for (index, line) in String(decoding: data, as: UTF8.self).split(separator: "\n").enumerated() {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { throw Malformed(line: index + 1) }
                fields[String(parts[0])] = Int(parts[1]) ?? String(parts[1])
            }
            return try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: fields))
        }
    }

    private func client(_ contentType: String?, _ body: String) -> APIClient {
        var headers = HTTPHeaders()
        if let contentType { headers[.contentType] = contentType }
        return StubTransport(200, headers, body).client {
            $0.decoders = ["text/lines": LinesDecoder(), "application/x-plist": PropertyListDecoder()]
        }
    }

    @Test(
        "The content type of the response chooses the decoder",
        arguments: [
            ("text/lines", "id=7\nname=n"), ("Text/LINES", "id=7\nname=n"),
            ("text/lines; charset=utf-8", "id=7\nname=n"),
            (" text/lines ;q=1", "id=7\nname=n"), ("application/json", #"{"id": 7, "name": "n"}"#),
            ("text/plain", #"{"id": 7, "name": "n"}"#), (nil, #"{"id": 7, "name": "n"}"#),
            (
                "application/x-plist",
                "<plist version=\"1.0\"><dict><key>id</key><integer>7</integer>"
                    + "<key>name</key><string>n</string></dict></plist>"
            ),
        ] as [(String?, String)])
    func chosen(_ contentType: String?, _ body: String) async throws {
        #expect(try await client(contentType, body).send(Route.get("x"), as: Item.self) == Item(id: 7, name: "n"))
    }

    @Test("A custom decoder's error is the reason in the message") func undecodable() async throws {
        let error = try await failure(.decoding) {
            try await client("text/lines", "id=7\nname").send(Route.get("x"), as: Item.self)
        }
        #expect(error.message.contains("line 2 has no ="))
        #expect(error.underlying is LinesDecoder.Malformed)
        #expect(error.body == Data("id=7\nname".utf8))
    }

    @Test("A missing key is reported with its path for other formats too") func missing() async throws {
        let error = try await failure { try await client("text/lines", "id=7").send(Route.get("x"), as: Item.self) }
        #expect(error.kind == .decoding)
        #expect(error.message.contains("\"name\" is missing"), "\(error)")
    }

    @Test("String, Data and empty responses need no decoder") func passedThrough() async throws {
        let client = client("text/lines", "no lines")
        #expect(try await client.send(Route.get("x"), as: String.self) == "no lines")
        #expect(try await client.send(Route.get("x"), as: Data.self) == Data("no lines".utf8))
        try await client.send(Route.get("x"))
    }

    @Test("Error bodies and wrappers use the same decoder") func errorsAndWrappers() async throws {
        struct Problem: ErrorResponse { var message: String }
        let failing = StubTransport(400, [.contentType: "text/lines"], "message=no such item").client {
            $0.decoders["text/lines"] = LinesDecoder()
            $0.errorResponse = Problem.self
        }
        let error = try await failure { try await failing.send(Route.get("x")) }
        #expect(error.serverMessage == "no such item")
        #expect(error.response is Problem)
        struct Head: Decodable, Sendable { var status: String }
        let wrapped = StubTransport(200, [.contentType: "text/lines"], "status=ok\ndata=7").client {
            $0.decoders["text/lines"] = LinesDecoder()
            $0.wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { _ in }
        }
        #expect(try await wrapped.send(Route.get("x"), as: Int.self) == 7)
    }
}
