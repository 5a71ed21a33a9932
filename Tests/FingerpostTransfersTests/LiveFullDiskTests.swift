// A test needs a process of its own, whose files may not grow.
#if os(Linux) || os(macOS)
    import FingerpostMocks
    import FingerpostMockFiles
    import CallSupport
    import FingerpostTransfers

    /// Transfers while the disk is full. A limit of the process takes the place of a small disk: a write stores what
    /// still fits, and the next write fails.
    @Suite(.inTurn) struct LiveFullDiskTests: DownloadSuite {
        private static let limit = 1_000_000
        private static let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 8) }
        private static let part = ".file.txt.fingerpost-part"

        let folder: TemporaryFolder

        private init() throws {
            let film = String(repeating: "film", count: 500_000)
            folder = try TemporaryFolder(["file.txt": "old", "Mocks/film.bin": film])
        }

        /// The names of all files in the folder, without the mocks.
        private var names: [String] { get throws { try folder.names.filter { $0 != "Mocks" } } }

        /// Limits the size to which this process can write a file; nil for no limit.
        private static func limitFiles(to size: Int?) throws {
            // Otherwise a write above the limit ends the process.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            try #require(getrlimit(fileSize, &limit) == 0)
            limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
            try #require(setrlimit(fileSize, &limit) == 0)
        }

        #if canImport(Glibc)
            private static let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            private static let fileSize = RLIMIT_FSIZE
        #endif

        /// A client that is answered from the mocks.
        private func mocked() throws -> APIClient {
            try APIClient {
                $0.environment = try .testing()
                $0.mocks = folder["Mocks"]
            }
        }

        /// Downloads, and expects that this fails, leaves the existing file alone and keeps these files.
        private func expectFailure(
            of client: APIClient, _ route: Route = .get("x"), resuming: Bool, keeping kept: [String] = []
        ) async throws {
            let error = try await failure { try await client.download(route, to: file, resuming: resuming) }
            let parts = error.line.components(separatedBy: file.path)
            #expect((parts.first, parts.last) == ("transport: the body cannot be written to ", ": File too large"))
            let found = try (error.fix, text, names)
            #expect(found == ("use a file in a writable folder on a disk with free space", "old", kept + ["file.txt"]))
        }

        /// Goes on after a part of the body did not fit, when there is room again.
        private static let stubborn = ClosureTransport { request, sink in
            try sink.begin(Response(status: 200, headers: ["ETag": "\"1\""], request: request))
            try limitFiles(to: 4)
            #expect(throws: APIError.self) { try sink.receive(Data("012345".utf8)) }
            try limitFiles(to: nil)
            #expect(throws: APIError.self) { try sink.receive(Data("6789".utf8)) }
        }

        @Test func `A download leaves the existing file as it was, and goes on when the disk has free space`() async {
            await #expect(processExitsWith: .success) {
                let server = try RangeServer(Self.body)
                defer { server.stop() }
                let (test, client) = (try Self(), APIClient(baseURL: server.baseURL))
                let kept = [Self.part, Self.part + ".json"]
                for resuming in [false, true] {
                    try Self.limitFiles(to: 0)
                    try await test.expectFailure(of: client, resuming: resuming)
                    // A body of which a part did not fit is not taken for the whole.
                    try await test.expectFailure(of: Self.stubborn.client(), resuming: resuming)
                    try Self.limitFiles(to: Self.limit)
                    try await test.expectFailure(of: client, resuming: resuming, keeping: resuming ? kept : [])
                }
                try await test.expectFailure(of: client, resuming: true, keeping: kept)
                #expect(try FileStatus(of: test.folder[Self.part].path).size == Self.limit)
                try Self.limitFiles(to: nil)
                try await client.download(Route.get("x"), to: test.file, resuming: true)
                let found = try (Data(contentsOf: test.file), test.names)
                #expect(found == (Data(Self.body), ["file.txt"]))
                let rest = "bytes=\(Self.limit)-"
                #expect(server.asked.suffix(3) == [nil, rest, rest])
                try await Self.expectDrop()
            }
        }

        /// The part of a file that has changed is dropped.
        private static func expectDrop() async throws {
            let (test, server) = (try Self(), try RangeServer("0123456789", breaks: [4]))
            defer { server.stop() }
            let client = APIClient(baseURL: server.baseURL)
            await #expect(throws: APIError.self) {
                try await client.download(Route.get("x"), to: test.file, resuming: true)
            }
            server.change(to: "new", tag: "\"v2\"")
            try limitFiles(to: 0)
            try await test.expectFailure(of: client, resuming: true)
            try limitFiles(to: nil)
            try await client.download(Route.get("x"), to: test.file, resuming: true)
            let found = try (test.text, server.asked)
            #expect(found == ("new", [nil, "bytes=4-", nil]))
        }

        @Test func `Mocks and forms that do not fit are errors, and a large mock needs no copy`() async {
            await #expect(processExitsWith: .success) {
                let (test, server) = (try Self(), try RangeServer("0123456789"))
                defer { server.stop() }
                try Self.limitFiles(to: Self.limit)
                for resuming in [false, true] {
                    let mocked = try test.mocked()
                    try await test.expectFailure(of: mocked, .get("x").mock("film.bin"), resuming: resuming)
                }
                let form = MultipartForm().file("film", test.folder["Mocks/film.bin"])
                let error = try await failure {
                    try await APIClient(baseURL: server.baseURL).send(Route.post("x").multipart(form))
                }
                let found = try (error.line, form.temporaryFiles, server.requests.count)
                #expect(found == ("encoding: the form cannot be written to a temporary file: File too large", [], 0))
                #expect(error.fix?.begins(with: "free some space on the disk of ") == true)
                try Self.limitFiles(to: nil)
                let (other, size) = (try Self(), RegularFile.mappedSize)
                try #require(truncate(other.folder["Mocks/film.bin"].path, off_t(size)) == 0)
                try Self.limitFiles(to: Self.limit)
                let body = try await other.mocked().data(for: Route.get("x").mock("film.bin"))
                #expect((body.count, body.prefix(4)) == (size, Data("film".utf8)))
            }
        }
    }
#endif
