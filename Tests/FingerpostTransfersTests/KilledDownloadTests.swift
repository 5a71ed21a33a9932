#if os(Linux) || os(macOS)
    import FingerpostFiles
    import FingerpostShared
    import TestSupport

    @testable import Fingerpost
    @testable import FingerpostTransfers

    /// Downloads of processes that are killed, and go on in another process. `DOWNLOAD_KILLS=100` kills a hundred
    /// times.
    @Suite(.inTurn(minutes: 20), .heavy) struct KilledDownloadTests {
        private static let kills = ProcessInfo.processInfo.environment["DOWNLOAD_KILLS"].flatMap { Int($0) } ?? 3
        private static let size = 1_000_000 * max(4, kills)

        @Test func `A download that is killed again and again is right byte for byte`() async throws {
            var generator = SeededGenerator(seed: 27)
            let bytes = (0..<Self.size / 8).map { _ in generator.next() }.withUnsafeBytes { Array($0) }
            // Each process gets a little further. The server sends no more than its share, and waits.
            let ends = (1...Self.kills).map { bytes.count / (Self.kills + 1) * $0 }
            let server = try RangeServer(bytes, breaks: ends, waits: true)
            defer { server.stop() }
            let folder = try TemporaryFolder()
            let path = folder["film"].path
            let part = try DownloadLocation(beside: folder["film"]).part.path
            let address = server.baseURL.absoluteString
            for end in ends {
                let limit = end - Int.random(in: 0..<50_000, using: &generator)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, part = part as String, address = address as String, limit = limit as Int] in
                    Thread {
                        while ((try? FileStatus(of: part))?.size ?? 0) < limit {}
                        kill(getpid(), SIGKILL)
                    }.start()
                    let client = APIClient(baseURL: try #require(URL(string: address)))
                    try await client.download(
                        Route.get("film").timeout(.seconds(600)), to: URL(fileURLWithPath: path), resuming: true)
                }
            }
            let client = APIClient(baseURL: server.baseURL)
            try await client.download(Route.get("film"), to: folder["film"], resuming: true)
            let found = try (Data(contentsOf: folder["film"]), folder.names)
            #expect(found == (Data(bytes), ["film"]))
            #expect(server.asked.count == Self.kills + 1 && server.asked.dropFirst().allSatisfy { $0 != nil })
        }
    }
#endif
