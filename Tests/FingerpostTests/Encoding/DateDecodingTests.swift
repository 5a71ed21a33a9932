import Fingerpost
import Foundation
import Testing

/// Decoding of text as dates.
@Suite struct DateDecodingTests {
    private func date(_ text: String) throws -> Date {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .lenientISO8601
        return try decoder.decode(Date.self, from: JSONEncoder().encode(text))
    }

    @Test(arguments: [
        ("2026-01-31T10:00:00Z", 1_769_853_600), ("2026-01-31T10:00:00.250Z", 1_769_853_600.25),
        ("2026-01-31T10:00:00+01:00", 1_769_850_000), ("2026-01-31T10:00:00.5-0200", 1_769_860_800.5),
    ])
    func `A date is read with and without a fraction, in any time zone`(text: String, seconds: Double) throws {
        #expect(try date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "yesterday", "2026-01-31", " 2026-01-31T10:00:00Z", "2026-01-31T10:00:00Zfoo", "2026-01-31T10:00:00Z ",
        "2026-01-31T10:00:00ZZ", "2026-01-31T10:00:00.250Zfoo", "2026-01-31T10:00:00.250", "2026-01-31T10:00:00+01:00x",
        "2026-01-31T10:00:00+01:00Z", "2026-01-31T10:00:00Z/2026-02-01T10:00:00Z",
    ])
    func `Text that is not exactly a date is an error that names it`(text: String) throws {
        let error = #expect(throws: DecodingError.self) { try date(text) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error)) is not about the data")
            return
        }
        #expect(context.debugDescription.hasPrefix("\"\(text)\" is not an ISO 8601 date"))
    }
}
