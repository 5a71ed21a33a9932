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
            $0.decoders["text/lines"] = LinesDecoder()
        }
    }

    /// Types of one value in several formats.
    private static let formats: [(types: [String?], body: String)] = [
        (["text/lines", "Text/LINES", "text/lines; charset=utf-8", " text/lines ;q=1"], "id=7\nname=n"),
        (["application/json", "text/plain", nil], #"{"id": 7, "name": "n"}"#),
    ]

    @Test func `The content type of the response chooses the decoder`() async throws {
        for (types, body) in Self.formats {
            for type in types {
                let item = try await client(type, body).send(Route.get("x"), as: Item.self)
                #expect(item == Item(id: 7, name: "n"), "\(type ?? "-")")
            }
        }
    }

    @Test func `The error of a custom decoder is the reason, and names the path of a missing key`() async throws {
        let body = "id=7\nname"
        let error = try await failure(.decoding) {
            try await client("text/lines", body).send(Route.get("x"), as: Item.self)
        }
        let isExplained = error.message.contains("line 2 has no =") && error.underlying is LinesDecoder.Malformed
        #expect((isExplained, error.body) == (true, Data(body.utf8)))
        let missing = try await failure(.decoding) {
            try await client("text/lines", "id=7").send(Route.get("x"), as: Item.self)
        }
        #expect(missing.message.contains("\"name\" is missing"), "\(missing)")
    }

    @Test func `String, Data and empty responses need no decoder`() async throws {
        let client = client("text/lines", "no lines")
        try await client.send(Route.get("x"))
        let found = try await (client.send(Route.get("x"), as: String.self), client.send(Route.get("x"), as: Data.self))
        #expect(found == ("no lines", Data("no lines".utf8)))
    }

    @Test func `Error bodies and wrappers use the same decoder`() async throws {
        struct Problem: ErrorResponse { var message: String }
        let failing = StubTransport(400, [.contentType: "text/lines"], "message=no such item").client {
            $0.decoders["text/lines"] = LinesDecoder()
            $0.errorResponse = Problem.self
        }
        let error = try await failure { try await failing.send(Route.get("x")) }
        #expect((error.serverMessage, error.response is Problem) == ("no such item", true))
        struct Head: Decodable, Sendable { var status: String }
        let wrapped = StubTransport(200, [.contentType: "text/lines"], "status=ok\ndata=7").client {
            $0.decoders["text/lines"] = LinesDecoder()
            $0.wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { _ in }
        }
        #expect(try await wrapped.send(Route.get("x"), as: Int.self) == 7)
    }
}
