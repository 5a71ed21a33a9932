import CallSupport
import FingerpostShared

@testable import Fingerpost
@testable import FingerpostTransfers

@Suite(.inTurn) struct FileCredentialStoreTests {
    private static let kills = ProcessInfo.processInfo.environment["CREDENTIAL_KILLS"].flatMap { Int($0) } ?? 2
    private static let steps = ProcessInfo.processInfo.environment["CREDENTIAL_STEPS"].flatMap { Int($0) } ?? 20

    /// A folder of files that this user alone may read.
    private static func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(files)
        for name in files.keys { try folder.setMode(0o600, of: name) }
        return folder
    }

    @Test func `A token is kept in a private file, and replaced in one step`() async throws {
        let folder = try TemporaryFolder()
        let file = folder["a/b/token"]
        let store = FileCredentialStore(file)
        var tokens = [try store.token()]
        try await store.save("first")
        tokens.append(try FileCredentialStore(file).token())
        try await store.save("second")
        tokens.append(try store.token())
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        for _ in 1...2 { try await store.clear() }
        tokens.append(try store.token())
        #expect((tokens, mode, names) == ([nil, "first", "second", nil], 0o600, ["token"]))
    }

    @Test func `A token that is replaced and removed meanwhile is read whole, or is none`() async throws {
        let folder = try TemporaryFolder()
        let file = folder["token"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            let isOver = Locked(false)
            group.addTask {
                defer { isOver.withLock { $0 = true } }
                let store = FileCredentialStore(file)
                for _ in 0..<100 {
                    try await store.save("first")
                    try await store.save("the second")
                    try await store.clear()
                }
            }
            group.addTask {
                let store = FileCredentialStore(file)
                while !isOver.withLock({ $0 }) {
                    let token = try store.token()
                    #expect([nil, "first", "the second"].contains(token))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(.heavy) func `A process killed while it saves leaves one file at most, until the next change`() async throws {
        let folder = try TemporaryFolder()
        let (file, path) = (folder["token"], folder["token"].path)
        for number in 1...Self.kills {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, number = number as Int] in
                let store = FileCredentialStore(URL(fileURLWithPath: path))
                try await store.save("first")
                Thread {
                    for _ in 0..<number * 50 { sched_yield() }
                    kill(getpid(), SIGKILL)
                }.start()
                while true { try await store.save("the second") }
            }
            let token = try FileCredentialStore(file).token()
            #expect(try ["first", "the second"].contains(token) && folder.names.count <= 2)
        }
        try await FileCredentialStore(file).save("third")
        #expect(try folder.names == ["token"])
    }

    enum Change: CaseIterable {
        case save, replace, keep, clear

        /// Returns false if it was refused.
        func apply(to store: FileCredentialStore) async throws -> Bool {
            switch self {
            case .save: try await store.save("new")
            case .replace: return try await store.save("new", replacing: "def")
            case .keep: return try await store.save("new", replacing: "abc")
            case .clear: try await store.clear()
            }
            return true
        }
    }

    @Test func `Each change removes what a killed process has left, and nothing else`() async throws {
        let others = [".other.new", ".token", ".token.new~", "token.new"]
        var files = Dictionary(uniqueKeysWithValues: others.map { ($0, "abc") })
        files["token"] = "def"
        files[".token.new"] = "a longer token than the new one"
        for change in Change.allCases {
            let folder = try Self.folder(files)
            let store = FileCredentialStore(folder["token"])
            let isDone = try await change.apply(to: store)
            let token = [.keep: "def", .clear: nil][change, default: "new"]
            let names = (others + (token == nil ? [] : ["token"])).sorted()
            let found = try (isDone, store.token(), folder.names)
            #expect(found == (change != .keep, token, names), "\(change)")
        }
    }

    @Test func `A token is replaced only if it is the one that was named`() async throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(folder["a/token"])
        let steps = try await store.replacements()
        // A token that cannot be read is not replaced, but a user can sign in again.
        try folder.setMode(0o666, of: "a/token")
        await #expect(throws: APIError.self) { try await store.save("third", replacing: "second") }
        try await store.save("third")
        let expected = ["kept nothing", "saved first", "kept first", "kept first", "saved second"]
        let found = try (steps, store.token())
        #expect(found == (expected, "third"))
    }

    @Test func `No change of another store of the same file is lost`() async throws {
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let shared = FileCredentialStore(patientWith: folder["token"])
            for store in [shared, shared, FileCredentialStore(patientWith: folder["token"])] {
                group.addTask { try await store.count(Self.steps) }
            }
            try await group.waitForAll()
        }
        let found = try (FileCredentialStore(folder["token"]).token(), folder.names)
        #expect(found == ("\(3 * Self.steps)", ["token"]))
    }

    @Test(.heavy) func `No change of another process is lost`() async throws {
        let folder = try TemporaryFolder()
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...2 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = folder["token"].path as String, steps = Self.steps as Int] in
                        try await FileCredentialStore(patientWith: URL(fileURLWithPath: path)).count(steps)
                    }
                }
            }
        }
        let found = try (FileCredentialStore(folder["token"]).token(), folder.names)
        #expect(found == ("\(2 * Self.steps)", ["token"]))
    }

    @Test(arguments: [nil, "of another user"])
    func `Signing in or out while another store saves a refreshed token is not undone`(token: String?) async throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(patientWith: folder["token"])
        let refreshing = FileCredentialStore(patientWith: folder["token"])
        let change = { @Sendable in if let token { try await store.save(token) } else { try await store.clear() } }
        for _ in 1...Self.steps {
            try await store.save("old")
            // Both wait for the same lock.
            let other = try #require(try PrivateFile.lock(folder[".token.new"]))
            async let isSaved = refreshing.save("new", replacing: "old")
            for _ in 0..<10 { await Task.yield() }
            async let isChanged: Void = change()
            for _ in 0..<10 { await Task.yield() }
            try PrivateFile.close(other)
            _ = try await (isSaved, isChanged)
            #expect(try store.token() == token)
        }
    }

    @Test func `Many changes that wait for another process leave the threads of tasks free`() async throws {
        let folder = try Self.folder(["token": "old"])
        let other = try #require(try PrivateFile.lock(folder[".token.new"]))
        let begun = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...64 {
                group.addTask {
                    let store = FileCredentialStore(patientWith: folder["token"])
                    begun.withLock { $0 += 1 }
                    _ = try await store.save("new", replacing: "old")
                }
            }
            await poll { begun.withLock { $0 } == 64 }
            try PrivateFile.close(other)
            try await group.waitForAll()
        }
        #expect(try FileCredentialStore(folder["token"]).token() == "new")
    }

    @Test func `A store that cannot lock changes nothing, and says why`() async throws {
        let folder = try Self.folder(["token": "S3cret"])
        let store = FileCredentialStore(folder["token"], patience: .zero) { _ in }
        /// Of each change, and the token in the end.
        func errors() async throws -> [String] {
            var lines: [String] = []
            for change in [Change.save, .keep, .clear] {
                lines.append(folder.relative(try await failure { try await change.apply(to: store) }.line))
            }
            return lines + [try store.token() ?? ""]
        }
        let other = try #require(try PrivateFile.lock(folder[".token.new"]))
        let locked = "timed out: another process has locked .token.new for 0.0 seconds"
        var lines = try await errors()
        #expect(lines == [locked, locked, locked, "S3cret"])
        try PrivateFile.close(other)
        try FileManager.default.removeItem(at: folder[".token.new"])
        try FileManager.default.createSymbolicLink(at: folder[".token.new"], withDestinationURL: folder["other"])
        let refused = ["written to", "written to", "removed from"].map { attempt in
            "authorization: the token cannot be \(attempt) token: .token.new is not a file of this user alone: it is a link"
        }
        lines = try await errors()
        #expect(lines == refused + ["S3cret"])
        #expect(try folder.names == [".token.new", "token"])
    }

    @Test func `A refresh whose token could not be saved in time is tried again by the next call`() async throws {
        let folder = try Self.folder(["token": "old"])
        let other = try #require(try PrivateFile.lock(folder[".token.new"]))
        let store = FileCredentialStore(folder["token"], patience: .zero) { _ in }
        let client = StubTransport { request, _ in
            (request.value(forHTTPHeaderField: "Authorization") == "Bearer new" ? 200 : 401, [:], "")
        }.client { $0.authorization = .refreshing(store) { _ in "new" } }
        let error = try await failure { try await client.send(Route.get("x")) }
        try PrivateFile.close(other)
        try await client.send(Route.get("x"))
        let found = try (error.kind, store.token())
        #expect(found == (.timedOut, "new"))
    }

    @Test func `A token that was written by hand is trimmed, and an empty one is none`() throws {
        let folder = try Self.folder(["token": " abc\n", "empty": "\n"])
        #expect(try ["token", "empty"].map { try FileCredentialStore(folder[$0]).token() } == ["abc", nil])
    }

    @Test func `What is no token, and what others may write, is an error that does not show it`() async throws {
        let folder = try TemporaryFolder(["folder/x": "1", "0620": "S3cret", "0602": "S3cret", "0666": "S3cret"])
        try Data([0xFF, 0xFE]).write(to: folder["binary"])
        try Data(count: 2 << 20).write(to: folder["large"])
        let modes = ["0620": 0o620, "0602": 0o602, "0666": 0o666, "binary": 0o600, "large": 0o600]
        for (name, mode) in modes { try folder.setMode(mode, of: name) }
        let lines = [
            "folder": "folder: this is a folder, not a file", "binary": "binary is not text in UTF-8",
            "large": "large: the file is too large for a token: 2097152 bytes",
            "0620": "other users may write 0620, so it may contain a token of somebody else",
            "0602": "other users may write 0602, so it may contain a token of somebody else",
            "0666": "other users may write 0666, so it may contain a token of somebody else",
        ]
        for (name, message) in lines {
            let error = try #require(throws: APIError.self) { try FileCredentialStore(folder[name]).token() }
            #expect(folder.relative(error.line) == "authorization: \(message)")
            #expect(!"\(error)".contains("S3cret"))
        }
        let error = try await failure { try await FileCredentialStore(folder["folder/x/token"]).save("S3cret") }
        #expect(error.kind == .authorization && !"\(error)".contains("S3cret"))
    }

    @Test func `What is saved can be read, and a larger token is not saved`() async throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(folder["token"])
        let largest = String(repeating: "a", count: 1 << 20)
        try await store.save(largest)
        let token = try store.token()
        let error = try await failure { try await store.save(largest + "S3cret") }
        let found = try (token == largest, store.token() == largest, error.kind)
        #expect(found == (true, true, .authorization))
        #expect(!"\(error)".contains("S3cret"))
    }

    @Test func `A file others may read, or a link, is read with one warning`() throws {
        let rows = [
            ("link", 0o600, ["link, which contains a token, is a link"]),
            ("link", 0o444, ["link, which contains a token, is a link"]),
            ("token", 0o444, ["other users may read token, which contains a token"]), ("token", 0o600, []),
            // Only the last component counts as a link.
            ("in/token", 0o600, []),
        ]
        for (name, mode, warnings) in rows {
            let folder = try TemporaryFolder(["token": "abc"])
            try folder.setMode(mode, of: "token")
            try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["token"])
            try FileManager.default.createSymbolicLink(at: folder["in"], withDestinationURL: folder.url)
            let texts = Locked<[String]>([])
            let store = FileCredentialStore(folder[name]) { text in texts.withLock { $0.append(text) } }
            let tokens = try [store.token(), store.token()]
            #expect((tokens, texts.withLock { $0 }.map(folder.relative)) == (["abc", "abc"], warnings), "\(name)")
        }
    }
}

extension FileCredentialStore {
    /// A store that waits as long as it takes on a machine that is busy.
    fileprivate convenience init(patientWith file: URL) {
        self.init(file, patience: .seconds(120), warn: StandardError.warn)
    }
}

extension TemporaryFolder {
    fileprivate func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self[path].path)
    }
}
