@testable import FingerpostFiles

@Suite(.inTurn) struct ISO8601TextTests {
    @Test func `A date with milliseconds is written as it was read`() {
        let texts = ["0001", "1583", "1900", "1969", "2001", "2026", "9999"].flatMap { year in
            (1..<1000).map { "\(year)-06-15T12:34:56.\("\(1000 + $0)".dropFirst())Z" }
        }
        #expect(texts.filter { text in ISO8601Text.date(text).map { ISO8601Text.text(of: $0) } != text } == [])
    }

    @Test func `Dates are rounded to milliseconds`() {
        let texts = [
            0.0: "2001-01-01T00:00:00Z", 0.0004: "2001-01-01T00:00:00Z", 0.0005: "2001-01-01T00:00:00.001Z",
            0.9996: "2001-01-01T00:00:01Z", -0.0004: "2001-01-01T00:00:00Z", -0.25: "2000-12-31T23:59:59.750Z",
        ]
        for (seconds, text) in texts {
            #expect(ISO8601Text.text(of: Date(timeIntervalSinceReferenceDate: seconds)) == text, "\(seconds)")
        }
    }

    @Test func `Every date that is read can be written, and is read again as the same date`() {
        func isKept(_ text: String) -> Bool {
            guard let date = ISO8601Text.date(text), ISO8601Text.canWrite(date) else { return false }
            let written = ISO8601Text.text(of: date)
            guard written.utf8.count <= 24, let again = ISO8601Text.date(written) else { return false }
            return abs(again.timeIntervalSince(date)) < 0.001 && ISO8601Text.text(of: again) == written
        }
        let texts = [
            "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "0001-12-31T23:59:59.9999999Z",
            "1582-10-04T00:00:00Z", "1582-10-15T00:00:00Z", "1969-12-31T23:59:59.9999999Z", "2016-12-31T23:59:60Z",
            "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.9999999Z",
            "9999-12-31T23:59:59.99999999999Z", "9999-12-31T23:59:59-14:00", "9999-12-31",
        ]
        #expect(texts.filter { !isKept($0) } == [])
    }

    @Test func `A date is read with and without a fraction, in any time zone, and a leap second as the second after`() {
        let dates = [
            "2016-12-31T23:59:60Z": "2017-01-01T00:00:00Z", "1998-12-31T15:59:60-08:00": "1999-01-01T00:00:00Z",
            "2015-07-01T01:59:60.5+02:00": "2015-07-01T00:00:00.500Z",
            "2026-01-31T12:00:00.5+01:00": "2026-01-31T11:00:00.500Z",
            "2026-01-31T12:00:00.5+0100": "2026-01-31T11:00:00.500Z",
            "2026-01-31T12:00:00.5+01": "2026-01-31T11:00:00.500Z",
            "2026-01-31T10:00:00.5-0200": "2026-01-31T12:00:00.500Z",
            "2026-01-31T10:00:00+01:00": "2026-01-31T09:00:00Z", "2026-01-31T10:00:00Z": "2026-01-31T10:00:00Z",
            "2026-01-31t10:00:00z": "2026-01-31T10:00:00Z", "2026-01-31 10:00:00Z": "2026-01-31T10:00:00Z",
            "2026-01-31T10:00Z": "2026-01-31T10:00:00Z", "2026-01-31T10:00+01:00": "2026-01-31T09:00:00Z",
            "2026-01-31": "2026-01-31T00:00:00Z", "2024-02-29": "2024-02-29T00:00:00Z",
            "2000-02-29": "2000-02-29T00:00:00Z",
        ]
        for (text, same) in dates {
            #expect(ISO8601Text.date(text).map { ISO8601Text.text(of: $0) } == same, "\(text)")
        }
    }

    @Test func `A fraction has any number of digits`() throws {
        let whole = try #require(ISO8601Text.date("2026-01-31T11:00:00Z"))
        for count in 1...30 {
            let digits = String(repeating: "5", count: count)
            let seconds = ISO8601Text.date("2026-01-31T12:00:00.\(digits)+01:00")?.timeIntervalSince(whole) ?? -1
            #expect(abs(seconds - Double("0.\(digits)")!) < 0.000_001, "\(digits)")
        }
    }

    @Test func `Text that is not exactly a date, and a time that does not exist, are refused`() {
        let texts = [
            "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+01:60", "2026-01-31T12:00:00-0199",
            "2026-01-31T12:00+99", "2026-01-31T12:00:00.5+01:99",
            // No leap seconds.
            "2026-01-31T10:00:60Z", "2016-12-31T23:59:61Z", "2016-12-31T23:59:60+01:00", "0000-01-01",
            "2026-02-30", "2026-02-29T10:00:00Z", "1900-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "2026-01-00",
            "2026-01-31T24:00:00Z", "2026-01-31T10:60:00Z", "2026-01-31T10", "2026-01-31T", "2026-01-31Z", "2026-1-31",
            "2026", "2026-01-3", "2026-01-31T10:00", "2026-01-31T10:00:0", "2026-01-31T10:00:Z", "20é6-01-31",
            "+026-01-31", "", "yesterday", " 2026-01-31T10:00:00Z", "2026-01-31T10:00:00Zfoo", "2026-01-31T10:00:00Z ",
            "2026-01-31T10:00:00ZZ", "2026-01-31T10:00:00.250Zfoo", "2026-01-31T10:00:00.250",
            "2026-01-31T10:00:00+01:00x", "2026-01-31T10:00:00+01:00Z", "2026-01-31T10:00:00Z/2026-02-01T10:00:00Z",
        ]
        #expect(texts.filter { ISO8601Text.date($0) != nil } == [])
    }
}
