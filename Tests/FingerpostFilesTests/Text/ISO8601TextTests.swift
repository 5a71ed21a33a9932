import Foundation
import Testing

@testable import FingerpostFiles

@Suite struct ISO8601TextTests {
    @Test(arguments: ["0001", "1583", "1900", "1969", "2001", "2026", "9999"])
    func `A date with milliseconds is written as it was read`(year: String) throws {
        for millisecond in 1..<1000 {
            let digits = "\(1000 + millisecond)".dropFirst()
            let text = "\(year)-06-15T12:34:56.\(digits)Z"
            let date = try #require(ISO8601Text.date(text))
            #expect(ISO8601Text.text(of: date) == text)
        }
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (0.0004, "2001-01-01T00:00:00Z"), (0.0005, "2001-01-01T00:00:00.001Z"),
        (0.9996, "2001-01-01T00:00:01Z"), (-0.0004, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
    ]) func `Dates are rounded to milliseconds`(seconds: Double, text: String) {
        #expect(ISO8601Text.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }

    @Test(arguments: [
        "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+01:60", "2026-01-31T12:00:00-0199",
        "2026-01-31T12:00+99", "2026-01-31T12:00:00.5+01:99",
    ]) func `A time zone that does not exist is refused`(text: String) {
        #expect(ISO8601Text.date(text) == nil)
    }

    @Test(arguments: ["+01:00", "+0100", "+01"]) func `A time zone is subtracted`(zone: String) throws {
        let date = try #require(ISO8601Text.date("2026-01-31T12:00:00.5\(zone)"))
        #expect(ISO8601Text.text(of: date) == "2026-01-31T11:00:00.500Z")
    }
}
