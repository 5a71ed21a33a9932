import Foundation
import Testing

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct BodyBufferTests {
    @Test(arguments: [1, 7, 16_384, 20_000]) func `Small pieces that wait are read together`(size: Int) async throws {
        let buffer = BodyBuffer(maximumSize: 1_000_000, maximumErrorSize: 0)
        let url = try #require(URL(string: "https://t.invalid"))
        try buffer.begin(Response<Void>(status: 200, request: URLRequest(url: url)))
        let body = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0) })
        for start in stride(from: 0, to: body.count, by: size) {
            try buffer.receive(body[start..<min(start + size, body.count)])
        }
        buffer.end(nil)
        var (read, count) = (Data(), 0)
        while let piece = try await buffer.next() {
            read += piece
            count += 1
        }
        #expect(read == body)
        #expect(count <= body.count / 16_000 + 1)
    }
}
