import Fingerpost
import FingerpostMocks
import FingerpostStreams
import FingerpostTransfers
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The memory that a transfer of 1 GB takes, compared with a bare `URLSession` that has a delegate. Each transfer runs
/// in a new process: this program with the argument `--transfer`.
///
/// The server sends a download no faster than it is written, except for `fast-download`. `URLSession` on Linux has no
/// backpressure: what the disk has not accepted waits in the queue of its delegate. So a download from a fast server
/// takes between 10 and 300 MB from run to run, with a bare session as with the library.
enum Transfer: String, CaseIterable {
    case download, upload, events
    /// A download from a server that does not wait for the disk.
    case fastDownload = "fast-download"
    case bareFastDownload = "bare-fast-download"
    case bareEvents = "bare-events"
    case bareDownload = "bare-download"
    case bareUpload = "bare-upload"

    static let all = [Transfer.download, .fastDownload, .upload, .events]
    /// What is read as it arrives: 100,000 server-sent events.
    private static let eventCount = 100_000
    /// The size of a body, in bytes.
    private static let size = 1_000_000_000
    /// How much more memory than the bare session is accepted, of the medians, in bytes.
    var margin: Int { bare == .bareFastDownload ? 300_000_000 : 16_000_000 }

    private var bare: Transfer {
        switch self {
        case .download, .bareDownload: .bareDownload
        case .fastDownload, .bareFastDownload: .bareFastDownload
        case .upload, .bareUpload: .bareUpload
        case .events, .bareEvents: .bareEvents
        }
    }

    /// By how many bytes the peak memory grows with a bare session and with Fingerpost.
    func measure() throws -> (bare: MeasuredProcess.Spread, ours: MeasuredProcess.Spread) {
        (try bare.run(), try run())
    }

    private func run() throws -> MeasuredProcess.Spread {
        try .init { try MeasuredProcess.output(of: "--transfer", rawValue) }
    }

    // MARK: In the new process

    /// Transfers a body, and prints by how much the peak memory of this process grew.
    static func runInThisProcess(_ argument: String?) async throws {
        guard let transfer = argument.flatMap(Transfer.init) else { throw CocoaError(.formatting) }
        if transfer.bare == .bareEvents { return try await readEvents(isBare: transfer == .bareEvents) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Fingerpost-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try SocketResponder(
            body: "{}", contentType: "application/json",
            download: .init(size: size, folder: transfer.bare == .bareFastDownload ? nil : folder))
        let url = URL(string: "http://127.0.0.1:\(server.port)")!
        let file = folder.appendingPathComponent("body")
        try Data().write(to: file)
        if transfer == .upload || transfer == .bareUpload {
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
        }
        var configuration = APIClient.Configuration()
        configuration.timeout = .seconds(600)
        let client = APIClient(baseURL: url, configuration)
        // The first call loads code and opens a connection.
        try await client.send(Route.get("items"))
        let before = try MeasuredProcess.peakMemory()
        switch transfer {
        case .download, .fastDownload: try await client.download(Route.get("download"), to: file)
        case .upload: try await client.send(Route.post("items").multipart(MultipartForm().file("file", file)))
        case .bareDownload, .bareFastDownload:
            try await BareTransfer.download(url.appendingPathComponent("download"), to: file)
        case .bareUpload: try await BareTransfer.upload(file, to: url.appendingPathComponent("items"))
        // They have returned above.
        case .events, .bareEvents: throw CocoaError(.formatting)
        }
        try MeasuredProcess.print(MeasuredProcess.peakMemory() - before)
    }
}

extension Transfer {
    /// Reads all events, and prints by how much the peak memory of this process grew.
    private static func readEvents(isBare: Bool) async throws {
        let body = (1...eventCount).map { "id: \($0)\ndata: {\"symbol\": \"A\", \"price\": \($0)}\n\n" }.joined()
        let server = try SocketResponder(body: body, contentType: "text/event-stream")
        let warm = try SocketResponder(body: "{}", contentType: "application/json")
        func url(_ server: SocketResponder) -> URL { URL(string: "http://127.0.0.1:\(server.port)")! }
        // The first call loads code.
        try await APIClient(baseURL: url(warm)).send(Route.get("items"))
        let before = try MeasuredProcess.peakMemory()
        var count = 0
        if isBare {
            count = try await BareTransfer.countEvents(url(server).appendingPathComponent("items"))
        } else {
            let stream = try await APIClient(baseURL: url(server)).stream(Route.get("items"))
            for try await _ in stream.events { count += 1 }
        }
        guard count == eventCount else { throw CocoaError(.fileReadCorruptFile) }
        try MeasuredProcess.print(MeasuredProcess.peakMemory() - before)
    }
}

/// Transfers with a bare session and its delegate.
private final class BareTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Sendable, because the session calls the delegate on one queue, and nobody else reads what changes.
    private let file: FileHandle?
    private let end: CheckedContinuation<Int, any Error>
    /// How many line feeds have come. Only the session's queue changes it, until the end.
    private var lineFeeds = 0

    private init(_ file: FileHandle?, _ end: CheckedContinuation<Int, any Error>) {
        self.file = file
        self.end = end
    }

    static func download(_ url: URL, to file: URL) async throws {
        let handle = try FileHandle(forWritingTo: file)
        try await run(handle) { $0.dataTask(with: url) }
        try handle.close()
    }

    /// Counts events as they come: each has three line feeds.
    static func countEvents(_ url: URL) async throws -> Int {
        try await run(nil) { $0.dataTask(with: url) } / 3
    }

    static func upload(_ file: URL, to url: URL) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        try await run(nil) { [request] in $0.uploadTask(with: request, fromFile: file) }
    }

    /// - Returns: the number of line feeds in the response.
    @discardableResult
    private static func run(_ file: FileHandle?, _ task: (URLSession) -> URLSessionTask) async throws -> Int {
        try await withCheckedThrowingContinuation { end in
            let delegate = BareTransfer(file, end)
            task(URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)).resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if file == nil { lineFeeds += data.count { $0 == UInt8(ascii: "\n") } }
        do { try file?.write(contentsOf: data) } catch { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.resume(with: error.map { .failure($0) } ?? .success(lineFeeds))
        session.finishTasksAndInvalidate()
    }
}
