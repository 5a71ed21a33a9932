import FingerpostFiles
import Foundation

/// Writes the body of a successful response to a file, and keeps the body of any other response in memory for the
/// error.
final class FileSink: DownloadSink {
    private let target: URL
    private let partial = Locked<PartialFile?>(nil)
    private let other: MemorySink
    private let head = Locked<Response<Void>?>(nil)

    /// - Parameters:
    ///   - target: the file to write.
    ///   - maximumErrorSize: the maximum size of the body of a response that is not successful, in bytes.
    init(for target: URL, maximumErrorSize: Int) {
        self.target = target
        other = MemorySink(maximumSize: maximumErrorSize)
    }

    func prepare() throws {
        let file = try PartialFile(for: target)
        partial.withLock { $0 = file }
    }

    func begin(_ head: Response<Void>) throws {
        self.head.withLock { $0 = head }
        if let file { try file.begin() } else { other.begin(head) }
    }

    func receive(_ bytes: Data) throws {
        if let file { try file.append(bytes) } else { try other.receive(bytes) }
    }

    func receive(contentsOf source: URL) throws {
        if let file { try file.copy(source) } else { try other.receive(contentsOf: source) }
    }

    /// The received response. The data of a successful response is the file, mapped into memory.
    func response() throws -> Response<Data> {
        guard let file, let head = head.withLock({ $0 }) else { return try other.response() }
        return Response(head, data: try file.end())
    }

    func finish(_ data: Data) throws {
        try partial.withLock { $0 }?.become(data)
    }

    func discard() { partial.withLock { $0 }?.discard() }

    /// The partial file while a successful response is being received, else nil.
    private var file: PartialFile? {
        head.withLock { $0?.isSuccess ?? false } ? partial.withLock { $0 } : nil
    }
}
