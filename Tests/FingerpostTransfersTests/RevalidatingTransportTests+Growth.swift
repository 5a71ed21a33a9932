import CallSupport
import Fingerpost
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

/// Work so large that it would exceed the time limit if a step took quadratic time.
extension RevalidatingTransportTests {
    /// All answers fit into the first size. With the second one, answers are dropped again and again.
    @Test(.heavy, arguments: [1 << 30, 10 << 20])
    func `Very many answers are kept, asked about and dropped in linear time`(_ size: Int) async throws {
        let inner = StubTransport { request, _ in
            let isKept = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return isKept ? (304, [:], "") : (200, Self.publicTag, "body")
        }
        let transport = RevalidatingTransport(around: inner, maximumSize: size)
        var confirmed = 0
        for number in Array(0..<60_000) + [0, 59_999] {
            // One address and many values of a header, and many addresses.
            var request = URLRequest(url: URL(string: "https://t.invalid/\(number % 2 == 0 ? 0 : number)")!)
            request.setValue("\(number)", forHTTPHeaderField: "X-Number")
            let response = try await transport.send(request, for: Self.route)
            if response.source == .revalidated { confirmed += 1 }
        }
        #expect(confirmed == (size == 1 << 30 ? 2 : 1))
    }
}
