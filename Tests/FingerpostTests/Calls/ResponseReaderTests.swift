import CallSupport
import FingerpostFiles
import FingerpostTesting
import TestSupport

@testable import Fingerpost

/// What a body is as a `String`, as `Data`, and as an optional.
@Suite(.inTurn) struct ResponseReaderTests {
    /// Answers with bytes of any kind.
    private struct Bytes: Transport {
        var type: String?
        let body: Data

        /// A client with a wrapper, which gets this answer.
        var wrapped: APIClient { client { $0.wrapper = ResponseWrapper(valueKey: "data") } }

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            let headers: HTTPHeaders = type.map { [.contentType: $0] } ?? [:]
            return Response(status: 200, headers: headers, data: body, request: request)
        }

        func value<Value: Decodable & Sendable>(_ type: Value.Type) async throws(APIError) -> Value {
            try await client().send(Route.get("x"), as: type)
        }
    }

    /// The content type, the body, the `String`, and the `String?`.
    private static let texts: [(type: String?, body: String, text: String, optional: String?)] = [
        ("application/json", #""CH""#, "CH", "CH"), ("application/json", " \"a\\\"b\\u00fc\"\n", "a\"bü", "a\"bü"),
        ("application/problem+json; charset=utf-8", #""a""#, "a", "a"), ("text/json", #""a""#, "a", "a"),
        ("application/json", #"{"a": "b"}"#, #"{"a": "b"}"#, #"{"a": "b"}"#), ("application/json", "12 ", "12 ", "12 "),
        ("application/json", "[1]\n", "[1]\n", "[1]\n"), ("application/json", "null", "null", nil),
        ("application/json", #""open"#, #""open"#, #""open"#), ("text/plain", #""CH""#, #""CH""#, #""CH""#),
        ("text/plain", "null", "null", "null"), (nil, #""CH""#, #""CH""#, #""CH""#),
        (nil, "pong\n", "pong\n", "pong\n"),
        ("application/json", "", "", nil), ("text/plain", " \r\n", " \r\n", nil),
    ]

    @Test(arguments: texts.indices)
    func `A String is the string of a JSON body that is one, and else the text as it came`(index: Int) async throws {
        let (type, body, text, optional) = Self.texts[index]
        let answer = Bytes(type: type, body: Data(body.utf8))
        let seen = try await (
            answer.value(String.self), answer.value(String?.self), answer.value(String??.self).flatMap { $0 },
            answer.value(Data.self), answer.value(Data?.self)
        )
        #expect(seen == (text, optional, optional, answer.body, answer.body.isBlank ? nil : answer.body))
    }

    @Test func `An optional is read as the type that it wraps, and nil for a body without content`() async throws {
        let photo = Bytes(type: "image/png", body: Data([0x89, 0x50, 0x4E, 0x47]))
        let content = try await (photo.value(Data?.self), photo.value(NoContent?.self))
        #expect(content == (photo.body, NoContent()))
        for body in ["", " ", "\n", "\t\r\n "] {
            let blank = Bytes(type: "application/json", body: Data(body.utf8))
            let values = try await (
                blank.value([Int]?.self), blank.value(NoContent?.self), blank.value(NoContent.self)
            )
            let error = try await failure { try await blank.value([Int].self) }
            let fix = "read it as Array<Int>?, which is nil for an empty body, or as NoContent"
            let seen = (values.0, values.1, values.2, error.message, error.fix)
            #expect(seen == (nil, nil, NoContent(), "the body does not decode as Array<Int>: it is empty", fix))
        }
        #expect(try await Bytes(body: Data("null".utf8)).value([Int]?.self) == nil)
    }

    /// The value of `charset`, the bytes, and their text. A charset that is none is UTF-8.
    private static let charsets: [(charset: String, bytes: [UInt8], text: String)] = [
        ("UTF-8", [0xE2, 0x82, 0xAC], "€"), ("\"utf8\"", [0xC3, 0xA9], "é"), ("utf-8", [0xEF, 0xBB, 0xBF, 0x61], "a"),
        ("", [0xC3, 0xA9], "é"), ("\"\"", [0xC3, 0xA9], "é"), ("binary", [0xC3, 0xA9], "é"),
        ("None", [0xC3, 0xA9], "é"),
        ("UTF-16", [0xFF, 0xFE, 0xAC, 0x20], "€"), ("utf-16", [0xFE, 0xFF, 0x20, 0xAC], "€"),
        ("utf-16", [0x20, 0xAC], "€"), ("UTF-16LE", [0xAC, 0x20], "€"), ("utf-16be", [0x20, 0xAC], "€"),
        ("utf-16le", [0xFF, 0xFE, 0xAC, 0x20], "€"), ("US-ASCII", [0x61], "a"), ("ascii", [0x61], "a"),
        ("ISO-8859-1", [0xE9, 0xA4, 0x80], "é¤\u{80}"), ("latin1", [0xFF], "ÿ"), ("\"Iso_8859-1\"", [0xE9], "é"),
        ("ISO-8859-15", [0x35, 0x20, 0xA4], "5 €"), ("latin-9", [0xBC], "Œ"),
        ("windows-1252", [0x80, 0x99], "€™"), ("CP1252", [0x93], "“"),
    ]

    @Test func `Text is read in the charset of the response, and without one in UTF-8 or by its mark`() async throws {
        for (charset, bytes, text) in Self.charsets {
            let answer = Bytes(type: "text/html; charset=\(charset)", body: Data(bytes))
            let texts = try await (answer.value(String.self), answer.value(String?.self))
            #expect(texts == (text, text), "\(charset)")
        }
        let others = try await [
            Bytes(type: "application/json; charset=iso-8859-1", body: Data([0x22, 0xE9, 0x22])).value(String.self),
            Bytes(type: "text/plain", body: Data([0xFF, 0xFE, 0xE9, 0])).value(String.self),
            Bytes(body: Data("é".utf8)).value(String.self),
        ]
        #expect(others == ["é", "é", "é"])
    }

    @Test(
        arguments: [
            ("gb2312", [0xB0, 0xA1], "gb2312"), ("ISO-8859-2", [0x61], "ISO-8859-2"), ("utf-32", [0x61], "utf-32"),
            ("utf-8", [0xE9], "UTF-8"), ("us-ascii", [0xE9], "US-ASCII"),
            ("", [0xE9], "the body is not valid UTF-8; data(for:)"),
            ("\"\"", [0xE9], "the body is not valid UTF-8; data(for:)"),
            ("binary", [0xE9], "the body is not valid UTF-8; data(for:)"),
            ("None", [0xE9], "the body is not valid UTF-8; data(for:)"),
        ] as [(String, [UInt8], String)])
    func `Other text is an error that names the charset`(charset: String, bytes: [UInt8], name: String) async throws {
        let answer = Bytes(type: "text/plain; charset=\(charset)", body: Data(bytes))
        for error in [
            try await failure(.decoding) { try await answer.value(String.self) },
            try await failure(.decoding) { _ = try await answer.value(String?.self) },
        ] { #expect(error.message.contains(name) && error.message.contains("data(for:)"), "\(error)") }
    }

    @Test(
        arguments: [
            ("text/html", "web page"), ("application/json", "web page"), ("text/html; charset=utf-8", "web page"),
            ("application/xml", "application/xml"),
        ])
    func `The error for a body that is not JSON shows its type and first line`(type: String, fix: String) async throws {
        let page = Bytes(type: type, body: Data("\n<html><title>Sign in to Cafe WiFi</title>\n<p>".utf8))
        let error = try await failure(.decoding) { try await page.value([Int].self) }
        let name = MediaType(contentType: type).rawValue
        let isNamed = error.message.contains(type == "application/json" ? "it is not JSON" : "it is \(name), not JSON")
        let isShown = "\(error)".contains("\n  body:        Sign in")
        #expect(
            (isNamed, error.bodyLine, isShown, error.fix?.contains(fix)) == (true, "Sign in to Cafe WiFi", true, true),
            "\(error)")
    }

    @Test func `The error for gzip that no header names says so, and text that ends early has an end`() async throws {
        let packed = Bytes(type: "application/json", body: Data([0x1F, 0x8B, 8, 0]))
        let error = try await failure { try await packed.value([Int].self) }
        #expect(error.fix == "the bytes are gzip: let the server send the header Content-Encoding: gzip")
        let cut = Bytes(type: "application/json", body: Data(#"{"a": "#.utf8))
        let end = try await failure { try await cut.value([Int].self) }
        #expect(end.message.contains("it is not JSON: it ends where a value is expected"), "\(end)")
    }

    @Test func `The wrapper of a client is around a String too, but for a route without one`() async throws {
        let answer = Bytes(type: "application/json", body: Data(#"{"data": "CH"}"#.utf8))
        let (client, x) = (answer.wrapped, Route.get("x"))
        let seen = try await (
            client.send(x, as: String?.self), client.send(x, as: Data?.self),
            client.send(x.wrapped(false), as: String?.self)
        )
        #expect(seen == ("CH", answer.body, answer.body.text))
    }

    @Test(arguments: ["", " null\n", #"{"data": null}"#, "{}"])
    func `A body without a value is nil with a wrapper too`(body: String) async throws {
        let (client, x) = (Bytes(type: "application/json", body: Data(body.utf8)).wrapped, Route.get("x"))
        let seen = try await (
            client.send(x, as: [Int]?.self), client.send(x, as: String?.self), client.send(x, as: Data?.self)
        )
        #expect(seen == (nil, nil, body.isEmpty ? nil : Data(body.utf8)))
        await #expect(throws: APIError.self) { try await client.send(x, as: [Int].self) }
    }
}
