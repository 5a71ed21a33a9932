// A test needs a process of its own, whose files may not grow.
#if os(Linux) || os(macOS)
    import CallSupport
    import FingerpostMockFiles
    import FingerpostMocks
    import FingerpostTransfers
    import Fingerpost
    import FingerpostFiles
    import Foundation
    import LoopbackServer
    import TestSupport
    import Testing

    /// Transfers while the disk is full. A limit of the process takes the place of a small disk: a write stores what
    /// still fits, and the next write fails.
    @Suite(.inTurn) struct LiveFullDiskTests {
        private static let limit = 1_000_000
        private static let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 8) }
        private static let part = ".file.txt.fingerpost-part"

        private let folder: TemporaryFolder
        private let file: URL

        private init() throws {
            folder = try TemporaryFolder([
                "file.txt": "old", "Mocks/film.bin": String(repeating: "film", count: 500_000),
            ])
            file = folder["file.txt"]
        }

        /// The names of all files in the folder, without the mocks.
        private var names: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0 != "Mocks" }.sorted()
            }
        }

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

        /// Downloads, and expects that this fails and leaves the existing file alone.
        private func expectFailure(of client: APIClient, _ route: Route = .get("x"), resuming: Bool) async throws {
            let error = await #expect(throws: APIError.self) {
                try await client.download(route, to: file, resuming: resuming)
            }
            #expect(error?.kind == .transport)
            #expect(error?.message.contains("the body cannot be written to ") == true, "\(error?.message ?? "")")
            #expect(error?.message.hasSuffix("File too large") == true, "\(error?.message ?? "")")
            #expect(error?.fix == "use a file in a writable folder on a disk with free space")
            #expect(try String(contentsOf: file, encoding: .utf8) == "old")
        }

        @Test(arguments: [0, limit], [false, true])
        func `A download leaves the existing file as it was`(limit: Int, resuming: Bool) async {
            await #expect(processExitsWith: .success) { [limit = limit as Int, resuming = resuming as Bool] in
                let (test, server) = (try Self(), try RangeServer(Self.body))
                defer { server.stop() }
                try Self.limitFiles(to: limit)
                try await test.expectFailure(of: APIClient(baseURL: server.baseURL), resuming: resuming)
                let kept = resuming && limit > 0 ? [Self.part, Self.part + ".json"] : []
                #expect(try test.names == kept + ["file.txt"])
            }
        }

        @Test func `A download goes on when the disk has free space again`() async {
            await #expect(processExitsWith: .success) {
                let (test, server) = (try Self(), try RangeServer(Self.body))
                defer { server.stop() }
                let client = APIClient(baseURL: server.baseURL)
                try Self.limitFiles(to: Self.limit)
                try await test.expectFailure(of: client, resuming: true)
                try await test.expectFailure(of: client, resuming: true)
                #expect(try FileStatus(of: test.folder[Self.part].path).size == Self.limit)
                try Self.limitFiles(to: nil)
                try await client.download(Route.get("x"), to: test.file, resuming: true)
                #expect(try Data(contentsOf: test.file) == Data(Self.body))
                #expect(try test.names == ["file.txt"])
                #expect(server.asked == [nil, "bytes=\(Self.limit)-", "bytes=\(Self.limit)-"])
            }
        }

        /// Goes on after a part of the body did not fit, when there is room again.
        private struct StubbornTransport: Transport {
            func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
                throw URLError(.unsupportedURL)
            }

            func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
                try sink.begin(Response(status: 200, headers: ["ETag": "\"1\""], request: request))
                try LiveFullDiskTests.limitFiles(to: 4)
                #expect(throws: APIError.self) { try sink.receive(Data("012345".utf8)) }
                try LiveFullDiskTests.limitFiles(to: nil)
                #expect(throws: APIError.self) { try sink.receive(Data("6789".utf8)) }
            }
        }

        @Test(arguments: [false, true])
        func `A body of which a part did not fit is not taken for the whole`(resuming: Bool) async {
            await #expect(processExitsWith: .success) { [resuming = resuming as Bool] in
                let test = try Self()
                let client = StubbornTransport().client()
                try await test.expectFailure(of: client, resuming: resuming)
                #expect(try test.names == ["file.txt"])
            }
        }

        @Test func `The part of a file that has changed is dropped`() async {
            await #expect(processExitsWith: .success) {
                let (test, server) = (try Self(), try RangeServer("0123456789", breaks: [4]))
                defer { server.stop() }
                let client = APIClient(baseURL: server.baseURL)
                await #expect(throws: APIError.self) {
                    try await client.download(Route.get("x"), to: test.file, resuming: true)
                }
                #expect(try test.names == [Self.part, Self.part + ".json", "file.txt"])
                server.change(to: "new", tag: "\"v2\"")
                try Self.limitFiles(to: 0)
                try await test.expectFailure(of: client, resuming: true)
                #expect(try test.names == ["file.txt"])
                try Self.limitFiles(to: nil)
                try await client.download(Route.get("x"), to: test.file, resuming: true)
                #expect(try String(contentsOf: test.file, encoding: .utf8) == "new")
                #expect(server.asked == [nil, "bytes=4-", nil])
            }
        }

        @Test(arguments: [false, true])
        func `A mock that does not fit leaves the existing file as it was`(resuming: Bool) async {
            await #expect(processExitsWith: .success) { [resuming = resuming as Bool] in
                let test = try Self()
                var configuration = APIClient.Configuration()
                configuration.environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
                configuration.mocks = test.folder["Mocks"]
                let client = try APIClient(configuration)
                try Self.limitFiles(to: Self.limit)
                try await test.expectFailure(of: client, .get("x").mock("film.bin"), resuming: resuming)
                #expect(try test.names == ["file.txt"])
            }
        }

        @Test func `A large mock is read although a copy of it does not fit`() async {
            await #expect(processExitsWith: .success) {
                let (test, size) = (try Self(), RegularFile.mappedSize)
                try #require(truncate(test.folder["Mocks/film.bin"].path, off_t(size)) == 0)
                var configuration = APIClient.Configuration()
                configuration.environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
                configuration.mocks = test.folder["Mocks"]
                try Self.limitFiles(to: Self.limit)
                let body = try await APIClient(configuration).data(for: Route.get("x").mock("film.bin"))
                #expect(body.count == size && body.starts(with: Data("film".utf8)))
            }
        }

        @Test func `A form that does not fit is not sent`() async {
            await #expect(processExitsWith: .success) {
                let (test, server) = (try Self(), try RangeServer("0123456789"))
                defer { server.stop() }
                let form = MultipartForm().file("film", test.folder["Mocks/film.bin"])
                try Self.limitFiles(to: Self.limit)
                let error = await #expect(throws: APIError.self) {
                    try await APIClient(baseURL: server.baseURL).send(Route.post("x").multipart(form))
                }
                #expect(error?.kind == .encoding)
                #expect(error?.message == "the form cannot be written to a temporary file: File too large")
                #expect(error?.fix?.begins(with: "free some space on the disk of ") == true)
                #expect(try form.temporaryFiles.isEmpty)
                #expect(server.requests.isEmpty)
            }
        }
    }
#endif
