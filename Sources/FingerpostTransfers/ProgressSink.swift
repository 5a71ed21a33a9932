import FingerpostFiles
import Foundation

/// Counts the bytes of a call's requests and responses on their way to the sink of the call.
final class ProgressSink: CallSink {
    private let sink: any CallSink
    private let reporter: ProgressReporter

    init(_ sink: any CallSink, reportingTo reporter: ProgressReporter) {
        (self.sink, self.reporter) = (sink, reporter)
    }

    var isMeasured: Bool { true }
    var isMemory: Bool { sink.isMemory }
    var hasDelivered: Bool { sink.hasDelivered }

    // MARK: Requests

    func prepare() throws { try sink.prepare() }

    func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) throws {
        try sink.adapt(&request, credentials: credentials())
        let size = request.bodySize
        reporter.note { $0.start(sending: size, at: $1) }
    }

    func startsOver(after result: Outcome) -> Bool { sink.startsOver(after: result) }

    func note(_ event: TransferEvent) {
        switch event {
        case .sent(let total): reporter.note { $0.sent(total, at: $1) }
        case .expects(let size):
            reporter.note { meter, _ in
                meter.expect(size)
                return nil
            }
        case .ended: reporter.note { $0.end(at: $1) }
        case .waitsForConnection: break
        }
    }

    // MARK: Responses

    func begin(_ head: Response<Void>) throws {
        try sink.begin(head)
        let kept = (sink as? DownloadSink)?.kept ?? 0
        reporter.note { $0.begin(head, after: kept, at: $1) }
    }

    func receive(_ bytes: Data) throws {
        try sink.receive(bytes)
        reporter.note { $0.receive(Int64(bytes.count), at: $1) }
    }

    func receive(contentsOf file: URL) throws {
        try sink.receive(contentsOf: file)
        let size = try FileStatus(of: file.path).size
        reporter.note { $0.receive(size, at: $1) }
    }

    func response() throws -> Response<Data> { try sink.response() }

    // MARK: The end

    func fail(_ error: any Error) { sink.fail(error) }

    func finish(_ response: Response<Data>) throws {
        reporter.note { $0.succeed(Int64(response.data.count), at: $1) }
        try sink.finish(response)
    }

    func discard() { sink.discard() }
}
