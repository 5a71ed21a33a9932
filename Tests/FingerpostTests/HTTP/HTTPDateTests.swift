import FingerpostFiles
import FingerpostMocks
import FingerpostShared
import TestSupport

@testable import Fingerpost

/// Dates and waits in header fields.
@Suite(.inTurn) struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)  // 15 January 2027
    private static let example = 784_111_777.0

    private static let dates: [(text: String, seconds: Double?)] = [
        // RFC 9110 section 5.6.7.
        ("Sun, 06 Nov 1994 08:49:37 GMT", example), ("Sunday, 06-Nov-94 08:49:37 GMT", example),
        ("Sun Nov  6 08:49:37 1994", example),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Tue, 29 Feb 2028 00:00:00 GMT", 1_835_395_200), ("Mon, 29 Feb 2027 00:00:00 GMT", nil),
        ("Thursday, 15-Jan-76 00:00:00 GMT", 3_346_272_000), ("Thursday, 15-Jan-78 00:00:00 GMT", 253_670_400),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799), ("Sat, 31 Dec 2016 23:59:61 GMT", nil),
        ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:60:37 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 06 Nov 1994 08:49:37 +0100", nil),
        ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 19940 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, ٠٦ Nov 1994 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil),
        ("", nil), ("GMT", nil), (", , , , , ,", nil), ("-1", nil),
    ]

    @Test func `Dates have three formats`() {
        for (text, seconds) in Self.dates {
            #expect(HTTPDate.date(text, now: Self.now)?.timeIntervalSince1970 == seconds, "\(text)")
        }
    }

    private static let waits: [(headers: HTTPHeaders, wait: Duration?)] = [
        ([.retryAfter: "120"], .seconds(120)), ([.retryAfter: "  120\t"], .seconds(120)), ([.retryAfter: "0"], nil),
        ([.retryAfter: "-120"], nil), ([.retryAfter: "1e3"], nil), ([.retryAfter: "0x10"], nil), ([:], nil),
        ([.retryAfter: ""], nil), ([.retryAfter: "soon"], nil), ([.retryAfter: "+7"], nil), ([.retryAfter: "٧"], nil),
        // A fraction, which RFC 9110 does not know.
        ([.retryAfter: "1.0"], .seconds(1)), ([.retryAfter: "1.337"], .seconds(2)),
        ([.retryAfter: "0.65"], .seconds(1)),
        ([.retryAfter: "0.0"], nil), ([.retryAfter: "-1.5"], nil), ([.retryAfter: ".5"], nil),
        ([.retryAfter: "5."], nil),
        ([.retryAfter: "1.2.3"], nil), ([.retryAfter: "1,5"], .seconds(5)),
        ([.retryAfter: "18446744073709551616"], .seconds(1_000_000_000)),
        ([.retryAfter: "Fri, 15 Jan 2027 08:01:00 GMT"], .seconds(60)),
        ([.retryAfter: "Fri, 15 Jan 2027 08:00:00 GMT"], nil),
        ([.retryAfter: "Fri, 15 Jan 2027 08:01:00 GMT", .date: "Fri, 15 Jan 2027 08:00:50 GMT"], .seconds(10)),
        ([.retryAfter: "Fri, 15 Jan 2027 08:01:00 GMT", .date: "today"], .seconds(60)),
        // Milliseconds are exact, and what cannot be read does not count.
        ([.retryAfter: "20", "retry-after-ms": "700"], .milliseconds(700)),
        ([.retryAfter: "20", "retry-after-ms": "0.5"], .microseconds(500)),
        ([.retryAfter: "20", "retry-after-ms": "0"], nil), ([.retryAfter: "7", "retry-after-ms": "soon"], .seconds(7)),
        ([.retryAfter: "7", "retry-after-ms": "-1"], .seconds(7)),
        // The header twice.
        ([.retryAfter: "1, 1"], .seconds(1)), ([.retryAfter: "5,\t120, 0"], .seconds(120)),
        ([.retryAfter: "1, x"], .seconds(1)),
        ([.retryAfter: "Fri, 15 Jan 2027 08:01:00 GMT, Fri, 15 Jan 2027 08:02:00 GMT"], .seconds(120)),
        ([.retryAfter: "30, Fri, 15 Jan 2027 08:01:00 GMT"], .seconds(60)), ([.retryAfter: ","], nil),
        ([.retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT"], .seconds(1_000_000_000)),
    ]

    @Test func `A wait is a number of seconds or a date`() {
        for (headers, wait) in Self.waits {
            #expect(RetryAfter.wait(in: headers, now: Self.now) == wait, "\(headers)")
        }
    }
}
