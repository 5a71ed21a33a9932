import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The memory that a transfer of 1 GB takes, compared with a bare `URLSession` that has a delegate. Each transfer runs
/// in a new process: this program with the argument `--transfer`.
///
/// The server sends a download no faster than it is written. Without this, `URLSession` on Linux keeps in memory what
/// the disk has not accepted: between 10 and 200 MB from run to run, with the library and without.
enum Transfer: String, CaseIterable {
    case download, upload
    case bareDownload = "bare-download"
    case bareUpload = "bare-upload"

    static let all = [Transfer.download, .upload]
    /// The size of a body, in bytes.
    private static let size = 1_000_000_000
    /// How much more memory than the bare session is accepted, in bytes.
    static let margin = 16_000_000

    private var bare: Transfer { self == .download ? .bareDownload : .bareUpload }

    /// The peak memory of both versions, in bytes.
    func measure() throws -> (bare: Int, ours: Int) { (try bare.run(), try run()) }

    private func run() throws -> Int { try MeasuredProcess.output(of: "--transfer", rawValue) }

    // MARK: In the new process

    /// Transfers a body, and prints by how much the peak memory of this process grew.
    static func runInThisProcess(_ argument: String?) async throws {
        guard let transfer = argument.flatMap(Transfer.init) else { throw CocoaError(.formatting) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Fingerpost-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try SocketResponder(
            body: "{}", contentType: "application/json", download: .init(size: size, folder: folder))
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
        case .download: try await client.download(Route.get("download"), to: file)
        case .upload: try await client.send(Route.post("items").multipart(MultipartForm().file("file", file)))
        case .bareDownload: try await BareTransfer.download(url.appendingPathComponent("download"), to: file)
        case .bareUpload: try await BareTransfer.upload(file, to: url.appendingPathComponent("items"))
        }
        try MeasuredProcess.print(MeasuredProcess.peakMemory() - before)
    }
}

/// Transfers with a bare session and its delegate.
private final class BareTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Sendable, because the session calls the delegate on one queue, and the properties are constant.
    private let file: FileHandle?
    private let end: CheckedContinuation<Void, any Error>

    private init(_ file: FileHandle?, _ end: CheckedContinuation<Void, any Error>) {
        self.file = file
        self.end = end
    }

    static func download(_ url: URL, to file: URL) async throws {
        let handle = try FileHandle(forWritingTo: file)
        try await run(handle) { $0.dataTask(with: url) }
        try handle.close()
    }

    static func upload(_ file: URL, to url: URL) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        try await run(nil) { [request] in $0.uploadTask(with: request, fromFile: file) }
    }

    private static func run(_ file: FileHandle?, _ task: (URLSession) -> URLSessionTask) async throws {
        try await withCheckedThrowingContinuation { end in
            let delegate = BareTransfer(file, end)
            task(URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)).resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        do { try file?.write(contentsOf: data) } catch { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.resume(with: error.map { .failure($0) } ?? .success(()))
        session.finishTasksAndInvalidate()
    }
}
