#if os(Linux)
    import Fingerpost
    import Foundation
    import LoopbackServer
    import Testing

    /// What a sealed environment does to the whole process, seen in a process of its own.
    @Suite struct SealedProcessTests {
        @Test func `A sealed call opens no socket`() async {
            await #expect(processExitsWith: .success) {
                let before = try openSockets()
                let client = try APIClient()
                _ = try await APIScope().run { try await client.data(for: Route.get("users/octocat").mock("user")) }
                #expect(try openSockets() == before)
            }
        }

        @Test func `A live call opens one and keeps it, so the count would show it`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _, connection in connection.respond(200) }
                defer { server.stop() }
                let before = try openSockets()
                let client = APIClient(baseURL: server.baseURL)
                _ = try await client.data(for: Route.get("x"))
                #expect(try openSockets() > before)
            }
        }
    }

    private func openSockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            // A descriptor may close while it is looked at: that of the listing does.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target?.hasPrefix("socket:") ?? false
        }
    }
#endif
