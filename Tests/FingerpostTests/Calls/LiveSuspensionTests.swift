#if os(Linux) || os(macOS)
    import CallSupport

    /// Calls of a process that is stopped for a while, as iOS stops apps in the background.
    @Suite(.inTurn) struct LiveSuspensionTests {
        @Test func `A call whose process was stopped for longer than its timeouts gets its answer`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _, connection in
                    let process = Process()
                    process.executableURL = URL(fileURLWithPath: "/bin/sh")
                    let id = ProcessInfo.processInfo.processIdentifier
                    process.arguments = ["-c", "kill -STOP \(id); sleep 4; kill -CONT \(id)"]
                    try? process.run()
                    // Until the process has been stopped and goes on.
                    process.waitUntilExit()
                    connection.waitUntilPeerCloses(atMost: .milliseconds(500))
                    connection.respond(200, body: "awake")
                }
                defer { server.stop() }
                let client = APIClient(baseURL: server.baseURL)
                let start = ContinuousClock.now
                let route = Route.get("x").timeout(.seconds(2)).idleTimeout(.seconds(2))
                #expect(try await client.data(for: route) == Data("awake".utf8))
                #expect(ContinuousClock.now - start > .seconds(4))
            }
        }
    }
#endif
