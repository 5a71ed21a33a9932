#if os(Linux)
    import CallSupport

    /// The effect of a sealed environment on a whole process, tested in a separate one.
    @Suite(.inTurn) struct SealedProcessTests {
        @Test func `A sealed call opens no socket, and a live call opens one and keeps it`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _, connection in connection.respond(200) }
                defer { server.stop() }
                let before = try openSockets()
                let sealed = try APIClient()
                _ = try await APIScope().run { try await sealed.data(for: Route.get("users/octocat").mock("user")) }
                #expect(try openSockets() == before)
                let client = APIClient(baseURL: server.baseURL)
                _ = try await client.data(for: Route.get("x"))
                #expect(try openSockets() > before)
            }
        }
    }

    private func openSockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            // A descriptor may close in the meantime: that of the listing does.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return target?.hasPrefix("socket:") ?? false
        }
    }
#endif
