import CallSupport

@testable import FingerpostTransfers

@Suite(.inTurn) struct TransferMeterTests {
    private static func head(
        _ status: Int = 200, _ headers: HTTPHeaders = [:], method: String = "GET"
    ) -> Response<Void> {
        var request = URLRequest(url: URL(string: "https://api.example.com/x")!)
        request.httpMethod = method
        return Response(status: status, headers: headers, request: request)
    }

    /// A meter of a request with a body of this size; nil for a stream.
    private static func meter(sending size: Int64? = 0) -> TransferMeter {
        var meter = TransferMeter(isMocked: false, at: .zero)
        _ = meter.start(sending: size, at: .zero)
        return meter
    }

    @Test func `Many pieces are reported at most 20 times a second, and the last always`() throws {
        var meter = Self.meter()
        var reports: [(time: Duration, progress: TransferProgress)] = []
        #expect(meter.begin(Self.head(200, ["Content-Length": "10000"]), at: .zero) == nil)
        // A piece each millisecond, for ten seconds.
        for piece in 1...10_000 {
            let time = Duration.milliseconds(piece)
            if let progress = meter.receive(1, at: time) { reports.append((time, progress)) }
        }
        let inSeconds = (0..<10).map { second in
            reports.count { $0.time > .seconds(second) && $0.time <= .seconds(second + 1) }
        }
        #expect(inSeconds.allSatisfy { $0 == 20 } && reports.count == 200, "\(inSeconds)")
        let end = TransferProgress(completedBytes: 10_000, totalBytes: 10_000, bytesPerSecond: 1000, isFinished: true)
        #expect(reports.last?.progress == end)
        #expect(meter.end(at: .seconds(11)) == nil && meter.succeed(10_000, at: .seconds(11)) == nil)
    }

    @Test func `A body that ends soon after a report is reported too`() {
        var meter = Self.meter(sending: 100)
        // An interim response ends no upload.
        #expect(meter.begin(Self.head(100), at: .zero) == nil)
        #expect(meter.sent(50, at: .milliseconds(50))?.completedBytes == 50)
        #expect(meter.sent(80, at: .milliseconds(60)) == nil)
        let upload = meter.sent(100, at: .milliseconds(61))
        #expect(upload?.isFinished == true && upload?.direction == .upload)
        // Reported late, or again.
        #expect(meter.sent(100, at: .milliseconds(62)) == nil)
        #expect(meter.begin(Self.head(200, ["Content-Length": "9"]), at: .milliseconds(70)) == nil)
        #expect(meter.sent(100, at: .milliseconds(500)) == nil && meter.receive(4, at: .milliseconds(80)) == nil)
        #expect(meter.receive(5, at: .milliseconds(81))?.isFinished == true)
    }

    @Test func `The speed is that of the last five seconds`() {
        var meter = Self.meter()
        _ = meter.begin(Self.head(200, ["Content-Length": "1000000"]), at: .zero)
        var speeds: [Double] = []
        // 1000 bytes in a second, then 100.
        for second in 1...20 {
            speeds.append(meter.receive(second <= 10 ? 1000 : 100, at: .seconds(second))?.bytesPerSecond ?? -1)
        }
        #expect(speeds.prefix(10).allSatisfy { $0 == 1000 } && speeds.suffix(5).allSatisfy { $0 == 100 }, "\(speeds)")
        // After a pause, the speed is low.
        #expect(meter.receive(100, at: .seconds(70))?.bytesPerSecond == 2)
    }

    @Test func `The size of a download is its Content-Length`() {
        let sizes: [(HTTPHeaders, Int64?)] = [
            (["Content-Length": "7"], 7), (["Content-Length": "7, 7"], 7), (["Content-Length": "7, 8"], nil),
            (["Content-Length": "many"], nil), (["Content-Length": "-7"], nil), ([:], nil),
            (["Content-Length": "7", "Content-Encoding": "gzip"], nil),
            (["Content-Length": "7", "Content-Encoding": "identity"], 7), (["Transfer-Encoding": "chunked"], nil),
        ]
        for (headers, total) in sizes {
            var meter = Self.meter()
            _ = meter.begin(Self.head(200, headers), at: .zero)
            let progress = meter.receive(5, at: .seconds(1))
            #expect((progress?.totalBytes, progress?.completedBytes) == (total, 5), "\(headers)")
        }
    }

    @Test func `The end of a body tells its size, unless its bytes are encoded or it has none`() {
        let ends: [(Response<Void>, received: Int64, completed: Int64, total: Int64?)] = [
            (Self.head(200, ["Content-Encoding": "gzip"]), 5, 5, nil),
            (Self.head(200, ["Transfer-Encoding": "chunked"]), 5, 5, nil), (Self.head(), 5, 5, 5),
            (Self.head(200, ["Content-Length": "7"], method: "HEAD"), 0, 0, 0),
            (Self.head(204, ["Content-Length": "7"]), 0, 0, 0),
            (Self.head(204, ["Content-Length": "7"], method: "DELETE"), 0, 0, 0),
        ]
        for (head, received, completed, total) in ends {
            var meter = Self.meter()
            _ = meter.begin(head, at: .zero)
            if received > 0 { _ = meter.receive(received, at: .zero) }
            let end = TransferProgress(completedBytes: completed, totalBytes: total, isFinished: true)
            #expect(meter.end(at: .zero) == end, "\(head)")
        }
    }

    @Test func `Only a successful response is a download, and the next request starts anew`() {
        var meter = Self.meter(sending: 100)
        #expect(meter.sent(60, at: .seconds(1))?.attempt == 1)
        _ = meter.sent(70, at: .milliseconds(1001))
        // The server answers early. The upload is not complete, but its last bytes are reported.
        let upload = meter.begin(Self.head(503, ["Content-Length": "7"]), at: .milliseconds(1002))
        #expect(upload?.completedBytes == 70 && upload?.isFinished == false)
        #expect(meter.receive(7, at: .seconds(2)) == nil && meter.end(at: .seconds(3)) == nil)
        let start = meter.start(sending: 100, at: .seconds(4))
        #expect(start == TransferProgress(.upload, attempt: 2, completedBytes: 0, totalBytes: 100))
    }

    @Test func `The end of a stream is known when its response comes`() {
        for (status, isFinished) in [(200, true), (413, false)] {
            var meter = Self.meter(sending: nil)
            #expect(meter.sent(3, at: .zero) == nil)
            let end = meter.begin(Self.head(status), at: .zero)
            #expect(end == TransferProgress(.upload, completedBytes: 3, totalBytes: nil, isFinished: isFinished))
        }
    }
}
