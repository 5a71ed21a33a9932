import TestSupport

@testable import FingerpostTransfers

@Suite(.inTurn) struct ContentRangeTests {
    @Test func `A range of bytes is read, and anything else is no range`() {
        let ranges: [(String, ClosedRange<Int64>?, Int64?)] = [
            ("bytes 0-0/1", 0...0, 1), ("bytes 42-1233/1234", 42...1233, 1234), ("BYTES 5-9/*", 5...9, nil),
            ("bytes */1234", nil, 1234), ("bytes 007-009/010", 7...9, 10),
            ("bytes 3000000000-4999999999/5000000000", 3_000_000_000...4_999_999_999, 5_000_000_000),
        ]
        for (text, bytes, total) in ranges {
            let range = ContentRange(text)
            #expect((range != nil, range?.bytes, range?.total) == (true, bytes, total), "\(text)")
        }
        let others = [
            "", "bytes", "bytes 0-0", "bytes 0-0/", "bytes 0/1", "bytes -0/1", "bytes 0-/1", "bytes 1-0/2",
            "bytes 0-1/1", "bytes */*", "bytes 0-0/-1", "bytes +0-0/1", "bytes 0-0/1 ", "bytes  0-0/1", "bytes=0-0/1",
            "lines 0-0/1", "bytes 0-99999999999999999999/*", "bytes 0-0/99999999999999999999", "bytes ٠-٠/١",
        ]
        #expect(others.filter { ContentRange($0) != nil } == [])
    }
}
