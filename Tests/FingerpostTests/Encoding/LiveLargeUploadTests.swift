import FingerpostFiles
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Uploads of files far larger than the memory a process should use for them. The files are sparse, so they take no
/// disk space.
///
/// 1,536 MB by default; `FINGERPOST_LARGE_UPLOAD` sets another size in megabytes.
@Suite("Live: large uploads", .timeLimit(.minutes(5)), .serialized)
struct LiveLargeUploadTests {
    private static let megabytes =
        ProcessInfo.processInfo.environment["FINGERPOST_LARGE_UPLOAD"].flatMap { Int($0) } ?? 1536
    private static let size = megabytes << 20
    /// The allowed growth of the process. It allows for other tests running at the same time, and is far below the size
    /// of the body.
    private static let allowance = 768 << 20

    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder(["large.bin": ""])
        file = folder["large.bin"]
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(Self.size))
        try handle.close()
    }

    /// - Returns: the number of body bytes the server received, and the growth of the process in bytes.
    private func send(_ route: Route) async throws -> (received: Int, growth: Int) {
        let server = try LoopbackServer(keepingBodies: false) { _, connection in connection.respond(200) }
        defer { server.stop() }
        let watch = MemoryWatch()
        var configuration = APIClient.Configuration()
        configuration.middleware = [watch]
        configuration.timeout = .seconds(240)
        try await APIClient(baseURL: server.baseURL, configuration).send(route)
        let request = try #require(server.requests.first)
        #expect(server.requestCount == 1)
        return (request.bodySize, watch.growth)
    }

    @Test("A file is streamed in constant memory")
    func fileBody() async throws {
        let (received, growth) = try await send(Route.put("file").body(.file(file)))
        #expect(received == Self.size)
        if ResidentMemory.isKnown { #expect(growth < Self.allowance, "it grew by \(growth >> 20) MB") }
    }

    @Test("A form with a large file is streamed, and its temporary file is removed")
    func form() async throws {
        let form = MultipartForm().field("title", "Holiday").file("video", file)
        let (received, growth) = try await send(Route.post("form").multipart(form))
        #expect(received > Self.size && received < Self.size + 1000)
        if ResidentMemory.isKnown { #expect(growth < Self.allowance, "it grew by \(growth >> 20) MB") }
        // The file is removed with the last copy of the request, shortly after the call has ended.
        for _ in 0..<10_000 where try !Self.temporaryFiles(startingWith: "--\(form.boundary)").isEmpty {
            await Task.yield()
        }
        #expect(try Self.temporaryFiles(startingWith: "--\(form.boundary)").isEmpty)
    }

    /// The temporary files of this library that start with a text.
    static func temporaryFiles(startingWith text: String) throws -> [URL] {
        let folder = FileManager.default.temporaryDirectory
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("fingerpost-") }
            .map(folder.appendingPathComponent)
            .filter { url in
                // Another test may have removed the file in the meantime.
                guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
                defer { try? handle.close() }
                return try handle.read(upToCount: text.utf8.count) == Data(text.utf8)
            }
    }
}
