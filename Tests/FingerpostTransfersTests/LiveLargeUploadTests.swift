// A test needs a process of its own to measure memory.
#if os(Linux) || os(macOS)
    import CallSupport
    import Fingerpost
    import FingerpostFiles
    import FingerpostMocks
    import Foundation
    import LoopbackServer
    import TestSupport
    import Testing

    @testable import FingerpostTransfers

    /// Uploads of files far larger than the memory that a process should use for them. The files are sparse, so they
    /// take no disk space.
    ///
    /// 192 MB by default; `FINGERPOST_LARGE_UPLOAD` sets another size in megabytes.
    @Suite("Live: large uploads", .inTurn, .heavy)
    struct LiveLargeUploadTests {
        private static let megabytes =
            ProcessInfo.processInfo.environment["FINGERPOST_LARGE_UPLOAD"].flatMap { Int($0) } ?? 192

        @Test("A file is streamed in constant memory")
        func fileBody() async {
            await #expect(processExitsWith: .success) {
                try await Self.upload {
                    Route.put("file").body(.file($0))
                } whenReceived: { received, size in
                    #expect(received == size)
                }
            }
        }

        @Test("A form with a large file is streamed, and its temporary file is removed")
        func form() async {
            await #expect(processExitsWith: .success) {
                let form = MultipartForm().field("title", "Holiday")
                try await Self.upload {
                    Route.post("form").multipart(form.file("video", $0))
                } whenReceived: {
                    received, size in
                    #expect(received > size && received < size + 1000)
                }
                // The file is removed with the last copy of the request, shortly after the call has ended.
                let end = ContinuousClock.now + .seconds(60)
                while try !form.temporaryFiles.isEmpty, ContinuousClock.now < end {
                    try await Task.sleep(for: .milliseconds(1))
                }
                #expect(try form.temporaryFiles.isEmpty)
            }
        }

        /// Sends a large file to a server, and expects that the process has not grown by its size.
        private static func upload(
            _ route: (URL) -> Route, whenReceived check: (_ bytes: Int, _ size: Int) -> Void
        ) async throws {
            let size = megabytes << 20
            let folder = try TemporaryFolder(["large.bin": ""])
            let handle = try FileHandle(forWritingTo: folder["large.bin"])
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
            let server = try LoopbackServer(keepingBodies: false) { _, connection in connection.respond(200) }
            defer { server.stop() }
            let client = APIClient(baseURL: server.baseURL) { $0.timeout = .seconds(240) }
            try await ResidentMemory.expectGrowth(below: size / 3) {
                try await client.send(route(folder["large.bin"]))
            }
            let request = try #require(server.requests.first)
            #expect(server.requestCount == 1)
            check(request.bodySize, size)
        }
    }
#endif
