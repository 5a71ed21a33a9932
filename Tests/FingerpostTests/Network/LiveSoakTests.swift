import CallSupport

@Suite("Live: soak", .inTurn, .heavy)
struct LiveSoakTests {
    #if os(Linux)
        private static let count = ProcessInfo.processInfo.environment["SOAK"].flatMap(Int.init) ?? 1_500

        // Open files are counted for a whole process, and other suites open and close files too. So these tests run in
        // separate processes. A crash there is a failure too, but does not end the test run.
        @Test("Many calls with random cancellations all end and leave no file open") func cancellations() async {
            await #expect(processExitsWith: .success) {
                try await OpenFiles.expectUnchanged {
                    let outcomes = try await CancellationSoak(requests: LiveSoakTests.count).run()
                    // From a separate process only the comments of expectations are reported.
                    let comment = Comment(rawValue: "\(outcomes)")
                    let (successes, cancellations) = (outcomes["success"] ?? 0, outcomes["cancelled"] ?? 0)
                    #expect(successes + cancellations == LiveSoakTests.count, comment)
                    // Some cancellations must arrive in time, otherwise the soak tests nothing.
                    let isMixed = successes > LiveSoakTests.count / 2 && cancellations > LiveSoakTests.count / 10
                    #expect(isMixed, comment)
                }
            }
        }

        @Test("200 clients in a row leave no file open") func clients() async {
            await #expect(processExitsWith: .success) {
                try await OpenFiles.expectUnchanged {
                    let server = try LoopbackServer(recording: false) { _, connection in connection.respond(200) }
                    defer { server.stop() }
                    for _ in 1...200 { try await APIClient(baseURL: server.baseURL).send(Route.get("x")) }
                    let found = await (server.connectionCount, server.closedAllConnections())
                    #expect(found == (200, true))
                }
            }
        }
    #endif
}

/// The open files and sockets of this process.
private enum OpenFiles {
    static var count: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    /// Expects the same count before and after, with a margin for files that the runtime opens.
    static func expectUnchanged(_ work: () async throws -> Void) async throws {
        // The time limit of a test does not apply in a separate process.
        DispatchQueue.global().asyncAfter(deadline: .now() + 90) { fatalError("the calls did not end in time") }
        // Foundation and Dispatch open some files once and keep them; this run opens those.
        _ = try await CancellationSoak(requests: 100).run()
        let before = try count
        try await work()
        // Foundation closes files on its own threads and does not report it.
        let limit = ContinuousClock.now + .seconds(10)
        while try count > before + 8, ContinuousClock.now < limit { try await Task.sleep(for: .milliseconds(1)) }
        let after = try count
        #expect(after <= before + 8, "\(before) before, \(after) after")
    }
}
