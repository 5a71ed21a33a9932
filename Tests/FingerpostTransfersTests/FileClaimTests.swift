#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing

    @testable import FingerpostTransfers

    @Suite(.inTurn) struct FileClaimTests {
        private let folder: TemporaryFolder
        private let file: URL

        init() throws {
            folder = try TemporaryFolder()
            file = folder["part"]
        }

        private var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
        }

        @Test func `A file is claimed once, and again when the claim has ended`() throws {
            for _ in 1...2 {
                let claim = try FileClaim(of: file)
                #expect(throws: POSIXError(.EWOULDBLOCK)) { try FileClaim(of: file) }
                withExtendedLifetime(claim) {}
            }
            #expect(try names == [])
        }

        /// The parts of this process's identity: the run of the system, the number and the start.
        private static let parts = ProcessIdentity.current.text.split(separator: ".").map { String($0) }

        @Test(arguments: [
            "another-run.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).1", "\(parts[0]).2147483646.\(parts[2])",
            "\(parts[0]).0.0", "\(parts[0]).-1.0", "another text", String(repeating: "x", count: 300),
        ])
        func `The claim of a process that has ended is taken over`(_ text: String) throws {
            // The right to replace a stale claim may be stale too.
            for name in ["part.claim", "part.claim~"] {
                try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: text)
            }
            let claim = try FileClaim(of: file)
            #expect(throws: POSIXError(.EWOULDBLOCK)) { try FileClaim(of: file) }
            #expect(try names == ["part.claim"])
            withExtendedLifetime(claim) {}
        }

        @Test func `The claim of a process that runs is not taken over, whatever is unknown about it`() throws {
            for text in ["\(Self.parts[0]).\(Self.parts[1]).0", ".\(Self.parts[1]).\(Self.parts[2])", "..1", ".1.0"] {
                guard let process = ProcessIdentity(text) else {
                    #expect(text == "..1")
                    continue
                }
                #expect(process.text == text)
                let claim = try FileClaim(of: file, as: process)
                #expect(throws: POSIXError(.EWOULDBLOCK)) { try FileClaim(of: file) }
                withExtendedLifetime(claim) {}
            }
        }

        /// Of the first process of the system, only its number is known. Ages are in seconds.
        @Test(arguments: [(0, false), (86_000, false), (-86_000, false), (87_000, true), (-87_000, true)])
        func `The claim of a process that may have ended is taken over after a day`(age: Int, isStale: Bool) throws {
            for name in ["part.claim", "part.claim~"] {
                let path = folder[name].path
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: ".1.0")
                let claimed = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
                try #require(utimensat(AT_FDCWD, path, [claimed, claimed], AT_SYMLINK_NOFOLLOW) == 0)
            }
            guard isStale else {
                #expect(throws: POSIXError(.EWOULDBLOCK)) { try FileClaim(of: file) }
                return
            }
            let claim = try FileClaim(of: file)
            #expect(try names == ["part.claim"])
            withExtendedLifetime(claim) {}
        }

        @Test func `Of all that find a stale claim, one takes it over`() async throws {
            for _ in 1...50 {
                try FileManager.default.createSymbolicLink(
                    atPath: folder["part.claim"].path, withDestinationPath: ".2147483646.0")
                let claims = await withTaskGroup(of: FileClaim?.self) { [file] group in
                    // Any error means that there is no claim.
                    for _ in 1...8 { group.addTask { try? FileClaim(of: file) } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(claims.count { $0 != nil } == 1)
            }
            #expect(try names == [])
        }

        @Test(.heavy) func `Processes that are killed again and again never have the same claim`() async throws {
            let path = file.path
            await withTaskGroup(of: Void.self) { group in
                for lane in 1...4 {
                    group.addTask {
                        for round in 1...4 {
                            await #expect(processExitsWith: .signal(SIGKILL)) {
                                [path = path as String, count = lane * 40 + round as Int] in
                                // The system knows who has the claim: a lock ends with its process.
                                let lock = open(path, O_RDWR | O_CREAT, 0o600)
                                var rest = count
                                while rest > 0 {
                                    guard let claim = try? FileClaim(of: URL(fileURLWithPath: path)) else {
                                        sched_yield()
                                        continue
                                    }
                                    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { exit(1) }
                                    rest -= 1
                                    if rest == 0 { kill(getpid(), SIGKILL) }
                                    flock(lock, LOCK_UN)
                                    withExtendedLifetime(claim) {}
                                }
                            }
                        }
                    }
                }
            }
            withExtendedLifetime(try FileClaim(of: file)) {}
            #expect(try names == ["part"])
        }
    }
#endif
