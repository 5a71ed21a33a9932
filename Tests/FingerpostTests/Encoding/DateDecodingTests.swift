import CallSupport

@testable import Fingerpost

/// Decoding of text as dates.
@Suite(.inTurn) struct DateDecodingTests {
    private func date(_ text: String) throws -> Date {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .lenientISO8601
        return try decoder.decode(Date.self, from: JSONEncoder().encode(text))
    }

    @Test(arguments: [
        ("2026-01-31T10:00:00Z", 1_769_853_600), ("2026-01-31T10:00:00.250Z", 1_769_853_600.25),
        ("2026-01-31T10:00:00+01:00", 1_769_850_000), ("2026-01-31T10:00:00.5-0200", 1_769_860_800.5),
        ("2026-01-31t10:00:00z", 1_769_853_600), ("2026-01-31 10:00:00Z", 1_769_853_600),
        ("2026-01-31T10:00Z", 1_769_853_600), ("2026-01-31T10:00+01:00", 1_769_850_000), ("2026-01-31", 1_769_817_600),
        ("2024-02-29", 1_709_164_800), ("2000-02-29", 951_782_400),
    ])
    func `A date is read with and without a fraction, in any time zone`(text: String, seconds: Double) throws {
        #expect(try date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test func `What a client's decoder reads, its encoder writes`() throws {
        let configuration = APIClient.Configuration()
        let json = Data(#"["2026-01-31T10:00:00.250Z"]"#.utf8)
        let written = try configuration.encoder.encode(configuration.decoder.decode([Date].self, from: json))
        #expect(written == json)
    }

    @Test(arguments: [
        "2026-02-30", "2026-02-29T10:00:00Z", "1900-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "2026-01-00",
        "2026-01-31T24:00:00Z", "2026-01-31T10:60:00Z", "2026-01-31T10:00:60Z", "2026-01-31T10", "2026-01-31T",
        "2026-01-31Z", "2026-1-31", "2026", "2026-01-3", "2026-01-31T10:00", "2026-01-31T10:00:0", "2026-01-31T10:00:Z",
        "20é6-01-31", "+026-01-31", "", "yesterday", " 2026-01-31T10:00:00Z", "2026-01-31T10:00:00Zfoo",
        "2026-01-31T10:00:00Z ",
        "2026-01-31T10:00:00ZZ", "2026-01-31T10:00:00.250Zfoo", "2026-01-31T10:00:00.250", "2026-01-31T10:00:00+01:00x",
        "2026-01-31T10:00:00+01:00Z", "2026-01-31T10:00:00Z/2026-02-01T10:00:00Z",
    ])
    func `Text that is not exactly a date is an error that names it`(text: String) throws {
        var description: String?
        do { description = "no error: \(try date(text))" } catch DecodingError.dataCorrupted(let context) {
            description = context.debugDescription
        }
        #expect(description?.hasPrefix("\"\(text)\" is not an ISO 8601 date") == true, "\(description ?? "")")
    }

    @Test func `A number for a date names the strategies that read it`() async throws {
        struct Event: Decodable, Sendable { var d: Date }
        for (value, isNumber) in [
            ("1600000000", true), ("1600000000.5", true), ("-1", true), ("true", false), ("null", false), ("{}", false),
        ] {
            let client = StubTransport(200, [:], #"{"d": \#(value)}"#).client()
            let error = try await failure(.decoding) { try await client.send(Route.get("x"), as: Event.self) }
            let isNamed = (error.message.contains(".secondsSince1970"), "\(error)".contains("1970"))
            #expect(isNamed == (isNumber, isNumber), "\(value): \(error)")
        }
    }
}
