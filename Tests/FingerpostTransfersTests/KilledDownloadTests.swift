#if os(Linux) || os(macOS)
    import FingerpostFiles
    import FingerpostShared
    import Foundation
    import TestSupport
    import Testing

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
            let server = try RangeServer(bytes)
            defer { server.stop() }
            let folder = try TemporaryFolder()
            let path = folder["film"].path
            let part = try DownloadLocation(beside: folder["film"]).part.path
            let address = server.baseURL.absoluteString
            for number in 1...Self.kills {
                // Each process gets a little further, and the last one is killed near the end. What a process receives
                // at once may be more than its share.
                let random = Int.random(in: 1..<50_000, using: &generator)
                let received = Int((try? FileStatus(of: part))?.size ?? 0)
                let limit = max(bytes.count / (Self.kills + 1) * number, received) + random
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, part = part as String, address = address as String, limit = limit as Int] in
                    Thread {
                        while ((try? FileStatus(of: part))?.size ?? 0) < limit {}
                        kill(getpid(), SIGKILL)
                    }.start()
                    let client = APIClient(baseURL: try #require(URL(string: address)))
                    try await client.download(
                        Route.get("film").timeout(.seconds(600)), to: URL(fileURLWithPath: path), resuming: true)
                    // The download may have ended before the thread saw its size.
                    kill(getpid(), SIGKILL)
                }
                if FileManager.default.fileExists(atPath: path) { break }
            }
            let client = APIClient(baseURL: server.baseURL)
            try await client.download(Route.get("film"), to: folder["film"], resuming: true)
            #expect(try Data(contentsOf: folder["film"]) == Data(bytes))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["film"])
            #expect(server.asked.contains { $0 != nil })
        }
    }
#endif
