@testable import FingerpostFiles

@Suite(.inTurn) struct ISO8601TextTests {
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

    @Test(arguments: [
        "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "0001-12-31T23:59:59.9999999Z", "1582-10-04T00:00:00Z",
        "1582-10-15T00:00:00Z", "1969-12-31T23:59:59.9999999Z", "2016-12-31T23:59:60Z", "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.99999999999Z",
        "9999-12-31T23:59:59-14:00", "9999-12-31",
    ]) func `Every date that is read can be written, and is read again as the same date`(text: String) throws {
        let date = try #require(ISO8601Text.date(text))
        #expect(ISO8601Text.canWrite(date))
        let written = ISO8601Text.text(of: date)
        #expect(written.utf8.count <= 24)
        let again = try #require(ISO8601Text.date(written))
        #expect(abs(again.timeIntervalSince(date)) < 0.001 && ISO8601Text.text(of: again) == written)
    }

    @Test(arguments: [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("1998-12-31T15:59:60-08:00", "1999-01-01T00:00:00Z"),
        ("2015-07-01T01:59:60.5+02:00", "2015-07-01T00:00:00.500Z"),
    ]) func `A leap second is the second after it`(text: String, same: String) throws {
        #expect(ISO8601Text.date(text) != nil && ISO8601Text.date(text) == ISO8601Text.date(same))
    }

    @Test(arguments: ["2026-01-31T10:00:60Z", "2016-12-31T23:59:61Z", "2016-12-31T23:59:60+01:00", "0000-01-01"])
    func `A second that is no leap second, and the year 0, are refused`(text: String) {
        #expect(ISO8601Text.date(text) == nil)
    }

    @Test(arguments: 1...30) func `A fraction has any number of digits`(count: Int) throws {
        let digits = String(repeating: "5", count: count)
        let date = try #require(ISO8601Text.date("2026-01-31T12:00:00.\(digits)+01:00"))
        let whole = try #require(ISO8601Text.date("2026-01-31T11:00:00Z"))
        #expect(abs(date.timeIntervalSince(whole) - Double("0.\(digits)")!) < 0.000_001)
    }

    @Test(arguments: ["+01:00", "+0100", "+01"]) func `A time zone is subtracted`(zone: String) throws {
        let date = try #require(ISO8601Text.date("2026-01-31T12:00:00.5\(zone)"))
        #expect(ISO8601Text.text(of: date) == "2026-01-31T11:00:00.500Z")
    }
}
