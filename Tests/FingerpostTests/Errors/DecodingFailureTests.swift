import CallSupport

@testable import Fingerpost
@testable import FingerpostFiles

/// What an error tells of a body that `JSONDecoder` reads and that does not fit its model.
@Suite(.inTurn, .withAndWithoutStrictParser) struct DecodingFailureTests {
    private struct Item: Decodable, Sendable { let id: Int }

    /// Bytes that may be no text.
    private struct Answer: Middleware {
        let body: Data

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            Response(status: 200, data: body, request: request)
        }
    }

    private func failure<Value: Decodable & Sendable>(
        _ body: Data, as type: Value.Type, _ configure: (JSONDecoder) -> Void = { _ in }
    ) async throws -> APIError {
        let decoder = JSONDecoder()
        configure(decoder)
        let client = StubTransport(200).client {
            $0.decoder = decoder
            $0.middleware = [Answer(body: body)]
        }
        return try await #require(throws: APIError.self) { _ = try await client.send(Route.get("x"), as: type) }
    }

    private static let numbers = [
        "9223372036854775808", "12345678901234567890", "123456789012345678901234567", "1e400", "-1e400", "1E-400", "-0",
        "0." + String(repeating: "1", count: 400), String(repeating: "9", count: 400),
    ]

    /// Values of a key that no model reads. JSON has all of them.
    private static let values =
        numbers + [#""\ufeff""#, String(repeating: "[", count: 500) + String(repeating: "]", count: 500)]

    private static let missing = #"the key "id" is missing (did you mean "ids"?)"#

    @Test func `A value that no model reads hides no other mistake`() async throws {
        for value in Self.values {
            let missing = try await failure(Data("{\"n\": \(value),\n\"ids\": 7}".utf8), as: Item.self)
            let isShown = missing.fragment?.contains(#""ids""#)
            #expect((missing.message.hasSuffix(Self.missing), isShown) == (true, true), "\(missing)")
            let mismatch = try await failure(
                Data("\u{FEFF}{\"n\": \(value),\n\"id\": \"x\", \"n\": 1}".utf8), as: Item.self)
            #expect(
                (mismatch.message.hasSuffix("Int is expected"), mismatch.codingPath, mismatch.fragment)
                    == (true, LinkedParser.isHidden ? "id" : "id (line 2)", #""x""#), "\(mismatch)")
        }
    }

    /// Bodies that are no JSON, which `JSONDecoder` reads nevertheless as long as no model reads the value of `n`.
    private static let lax: [Data] =
        [#""\ud83d""#, #""\udc00""#, #""\q""#, "\"a\tb\"", "01", "1.", "-", "1e5e5", "2,"]
        .map { Data("{\"ids\": 7, \"n\": \($0)}".utf8) } + [
            Data("{\"ids\": 7, \"n\": \"".utf8) + [0xFF] + Data("\"}".utf8),
            #"{"ids": 7}"#.data(using: .utf16BigEndian) ?? Data(),
        ]

    @Test func `A body that only a decoder reads is explained too, such as JSON5`() async throws {
        for body in Self.lax {
            let error = try await failure(body, as: Item.self)
            let isShown = error.fragment?.contains(#""ids": 7"#)
            #expect((error.message.hasSuffix(Self.missing), isShown) == (true, true), "\(error)")
        }
        let error = try await failure(Data("{ids: 7, /* c */ n: 'x'}".utf8), as: Item.self) { $0.allowsJSON5 = true }
        #expect(error.message.hasSuffix(Self.missing), "\(error)")
    }

    @Test
    func `A mistake in the syntax of a value that a model reads is named, and a number that does not fit is none`()
        async throws
    {
        struct Both: Decodable, Sendable { let id: Int?, name: String? }
        for (key, value) in [("id", "01"), ("name", #""\ud83d""#), ("id", "1."), ("name", #""\q""#)] {
            let error = try await failure(Data("{\"\(key)\": \(value)}".utf8), as: Both.self)
            #expect(error.message.contains("it is not JSON: "), "\(error)")
        }
        for number in ["1e400", "9223372036854775808", "1" + String(repeating: "0", count: 400)] {
            let error = try await failure(Data("{\"id\": \(number)}".utf8), as: Item.self)
            #expect(!error.message.contains("JSON") && error.message.contains("number"), "\(error)")
        }
    }

    @Test func `Numbers are shown as they are written`() async throws {
        let numbers = Self.numbers.prefix(4).joined(separator: ", ")
        let error = try await failure(Data("{\"id\": [\(numbers)]}".utf8), as: Item.self)
        if !LinkedParser.isHidden { #expect(error.fragment == "[\(numbers)]") }
    }

    // MARK: Converted keys

    /// A model with one key, which the decoder's `userInfo` names.
    private struct OneKey: Decodable, Sendable {
        static let name = CodingUserInfoKey(rawValue: "name")

        init(from decoder: any Decoder) throws {
            let name = Self.name.flatMap { decoder.userInfo[$0] as? String } ?? ""
            _ = try decoder.container(keyedBy: AnyCodingKey.self).decode(
                Int.self, forKey: AnyCodingKey(stringValue: name))
        }
    }

    private func error(
        of key: String, in body: [String: Int], _ strategy: JSONDecoder.KeyDecodingStrategy
    ) async throws -> APIError {
        try await failure(JSONEncoder().encode(body), as: OneKey.self) { Self.convert($0, by: strategy, reading: key) }
    }

    private static func convert(
        _ decoder: JSONDecoder, by strategy: JSONDecoder.KeyDecodingStrategy, reading key: String
    ) {
        decoder.keyDecodingStrategy = strategy
        if let name = OneKey.name { decoder.userInfo[name] = key }
    }

    private static let names: [(written: String, missing: String, works: String)] = [
        ("avatar_url", "avatarURL", "avatarUrl"), ("user_id", "userID", "userId"),
        ("_avatar_url", "_avatarURL", "_avatarUrl"), ("avatar_url__", "avatarURL__", "avatarUrl__"),
        ("__avatar__url", "__avatarURL", "__avatarUrl"), ("AVATAR_URL", "avatarURL", "avatarUrl"),
        ("avatar_Url_2x", "avatarURL2x", "avatarUrl2X"), ("___", "____", "___"),
        ("avatar-url", "avatarurl", "avatar-url"),
        ("straße_nr", "straßeNR", "straßeNr"), ("avatarUrl", "avatarURL", "avatarUrl"),
    ]

    @Test func `The key that works is suggested`() async throws {
        for (written, missing, works) in Self.names {
            let text = try await error(of: missing, in: [written: 1], .convertFromSnakeCase).message
            #expect(text.hasSuffix("the key \"\(missing)\" is missing (did you mean \"\(works)\"?)"), "\(text)")
            let decoder = JSONDecoder()
            Self.convert(decoder, by: .convertFromSnakeCase, reading: works)
            _ = try decoder.decode(OneKey.self, from: JSONEncoder().encode([written: 1]))
        }
    }

    @Test func `A custom strategy converts the names that are suggested`() async throws {
        let strategy = JSONDecoder.KeyDecodingStrategy.custom { path in
            AnyCodingKey(stringValue: "\(path.count)." + (path.last?.stringValue ?? ""))
        }
        let text = try await error(of: "1.Name", in: ["name": 1], strategy).message
        #expect(text.hasSuffix(#"(did you mean "1.name"?)"#), "\(text)")
    }

    @Test func `Only the object that lacks the key is searched`() async throws {
        struct Home: Decodable, Sendable { let id: Int }
        struct Person: Decodable, Sendable { let homes: [String: Home] }
        let body = Data(#"{"ids": 1, "homes": {"home_one": {"x": 1}}}"#.utf8)
        let error = try await failure(body, as: Person.self) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(error.message.hasSuffix(#"the key "id" is missing"#), "\(error)")
    }
}
