import FingerpostFiles
import Foundation

/// Writes the body of a success into a file. The body of any other status, which is what an error shows, goes into memory.
final class FileSink: ResponseSink {
    private let target: URL
    private let partial = Locked<PartialFile?>(nil)
    private let other = MemorySink()
    private let head = Locked<Response<Void>?>(nil)

    init(for target: URL) {
        self.target = target
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
        if let file { try file.append(bytes) } else { other.receive(bytes) }
    }

    func receive(contentsOf source: URL) throws {
        if let file { try file.copy(source) } else { try other.receive(contentsOf: source) }
    }

    /// The response. The data of a success is the file's content, which is not read into memory.
    func response() throws -> Response<Data> {
        guard let file, let head = head.withLock({ $0 }) else { return try other.response() }
        return Response(head, data: try file.end())
    }

    /// Puts the body in its place.
    ///
    /// - Parameter data: what is to be in the file: what came, unless middleware made something else of it.
    func finish(_ data: Data) throws {
        try partial.withLock { $0 }?.become(data)
    }

    func discard() { partial.withLock { $0 }?.discard() }

    /// The file, while a success goes into it.
    private var file: PartialFile? {
        head.withLock { $0?.isSuccess ?? false } ? partial.withLock { $0 } : nil
    }
}
