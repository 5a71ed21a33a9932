#if DEBUG
    import TestSupport

    @testable import FingerpostMocks

    @Suite(.inTurn) struct ControlFolderTests {
        @Test(arguments: [true, false]) func `Without locks, as on devices, calls are written too`(_ locks: Bool) throws
        {
            let folder = try TemporaryFolder()
            for number in 1...2 {
                // The first instance has ended, and with it its lock.
                ControlFolder(folder.url, locks: locks).append(Data("\(number)\n".utf8))
            }
            let calls = try String(contentsOf: folder["calls.jsonl"], encoding: .utf8)
            let names = try folder.names
            #expect((calls, names) == ("1\n2\n", locks ? ["app.lock", "calls.jsonl"] : ["calls.jsonl"]))
        }
    }
#endif
