// A test needs a process of its own to measure memory.
#if os(Linux) || os(macOS)
    import FingerpostMocks
    import CallSupport

    @testable import FingerpostTransfers

    /// Transfers far larger than the memory that a process should use for them. The files that are sent are sparse, so
    /// they take no disk space.
    ///
    /// 96 MB by default; `FINGERPOST_LARGE_TRANSFER` sets another size in megabytes.
    @Suite("Live: large transfers", .inTurn, .heavy)
    struct LiveLargeTransferTests {
        private static let size =
            (ProcessInfo.processInfo.environment["FINGERPOST_LARGE_TRANSFER"].flatMap { Int($0) } ?? 96) << 20

        private let folder: TemporaryFolder

        private init() throws {
            folder = try TemporaryFolder(["Mocks/film.bin": ""])
            let handle = try FileHandle(forWritingTo: folder["Mocks/film.bin"])
            try handle.truncate(atOffset: UInt64(Self.size))
            try handle.close()
        }

        @Test("Large files, forms, downloads and mocks do not go through memory") func all() async {
            // In a process without other tests.
            await #expect(processExitsWith: .success) {
                let test = try Self()
                let file = test.folder["Mocks/film.bin"]
                try await test.upload(Route.put("file").body(.file(file))) { $0 == Self.size }
                let form = MultipartForm().field("title", "Holiday").file("video", file)
                try await test.upload(Route.post("form").multipart(form)) { $0 > Self.size && $0 < Self.size + 1000 }
                // The file is removed with the last copy of the request, shortly after the call has ended.
                await poll { (try? form.temporaryFiles.isEmpty) == true }
                try await test.download()
                try await test.downloadMock()
            }
        }

        /// Sends a route to a server, which counts the bytes of its body.
        private func upload(_ route: Route, isReceived: (Int) -> Bool) async throws {
            let server = try LoopbackServer(keepingBodies: false) { _, connection in connection.respond(200) }
            defer { server.stop() }
            let client = APIClient(baseURL: server.baseURL) { $0.timeout = .seconds(240) }
            try await ResidentMemory.expectGrowth(below: Self.size / 2) { try await client.send(route) }
            #expect(server.requests.map(\.bodySize).count { isReceived($0) } == 1 && server.requestCount == 1)
        }

        private func download() async throws {
            let server = try LoopbackServer { [folder] _, connection in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
                let piece = [UInt8](repeating: 7, count: 1 << 20)
                for sent in 0..<Self.size >> 20 {
                    // Send no faster than the disk writes: URLSession on Linux keeps unwritten data in memory.
                    while Self.partialSize(in: folder) < Int64(sent - 16) << 20 {
                        if connection.waitUntilPeerCloses(atMost: .milliseconds(2)) { return }
                    }
                    if !connection.write(piece) { return }
                }
            }
            defer { server.stop() }
            let file = folder["downloaded"]
            try await ResidentMemory.expectGrowth(below: Self.size / 2) {
                try await APIClient(baseURL: server.baseURL).download(Route.get("x"), to: file)
            }
            #expect(try FileStatus(of: file.path).size == Self.size)
        }

        /// The size of the hidden file beside the target.
        private static func partialSize(in folder: TemporaryFolder) -> Int64 {
            // The file may appear or disappear in the meantime.
            let names = (try? folder.names) ?? []
            return names.filter { $0.hasPrefix(".") }.compactMap { try? FileStatus(of: folder[$0].path).size }
                .reduce(0, +)
        }

        private func downloadMock() async throws {
            let client = try APIClient {
                $0.environment = try .testing()
                $0.mocks = folder["Mocks"]
            }
            try await ResidentMemory.expectGrowth(below: Self.size / 2) {
                try await client.download(Route.get("x").mock("film.bin"), to: folder["copy"])
            }
            #expect(try FileStatus(of: folder["copy"].path).size == Self.size)
        }
    }
#endif
