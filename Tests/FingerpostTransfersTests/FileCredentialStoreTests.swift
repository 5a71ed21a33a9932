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
        #expect(try store.token() == nil)
        try await store.save("first")
        #expect(try FileCredentialStore(file).token() == "first")
        try await store.save("second")
        #expect(try store.token() == "second")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["token"])
        try await store.clear()
        try await store.clear()
        #expect(try store.token() == nil)
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
                    #expect(token == nil || token == "first" || token == "the second")
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
            #expect(token == "first" || token == "the second")
            #expect(try folder.names.count <= 2)
        }
        try await FileCredentialStore(file).save("third")
        #expect(try folder.names == ["token"])
    }

    enum Change: CaseIterable {
        case save, replace, keep, clear

        func apply(to store: FileCredentialStore) async throws {
            switch self {
            case .save: try await store.save("new")
            case .replace: #expect(try await store.save("new", replacing: "def"))
            case .keep: #expect(try await !store.save("new", replacing: "abc"))
            case .clear: try await store.clear()
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `Each change removes what a killed process has left, and nothing else`(change: Change) async throws {
        let others = [".other.new", ".token", ".token.new~", "token.new"]
        var files = Dictionary(uniqueKeysWithValues: others.map { ($0, "abc") })
        files["token"] = "def"
        files[".token.new"] = "a longer token than the new one"
        let folder = try Self.folder(files)
        let store = FileCredentialStore(folder["token"])
        try await change.apply(to: store)
        let token = [.keep: "def", .clear: nil][change, default: "new"]
        #expect(try (store.token(), folder.names) == (token, (others + (token == nil ? [] : ["token"])).sorted()))
    }

    @Test func `A token is replaced only if it is the one that was named`() async throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(folder["a/token"])
        #expect(try await !store.save("first", replacing: "old"))
        #expect(
            try await (
                store.save("first", replacing: nil), store.save("second", replacing: nil),
                store.save("second", replacing: "old"), store.token()
            ) == (true, false, false, "first"))
        #expect(try await (store.save("second", replacing: "first"), store.token()) == (true, "second"))
        // A token that cannot be read is not replaced, but a user can sign in again.
        try folder.setMode(0o666, of: "a/token")
        await #expect(throws: APIError.self) { try await store.save("third", replacing: "second") }
        try await store.save("third")
        #expect(try store.token() == "third")
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
        #expect(try (FileCredentialStore(folder["token"]).token(), folder.names) == ("\(3 * Self.steps)", ["token"]))
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
        #expect(try (FileCredentialStore(folder["token"]).token(), folder.names) == ("\(2 * Self.steps)", ["token"]))
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
        func fail(_ kind: APIError.Kind, _ text: String) async throws {
            for change in [Change.save, .keep, .clear] {
                let error = try await failure { try await change.apply(to: store) }
                #expect(error.kind == kind && error.message.contains(text) && error.message.contains(".token.new"))
            }
            #expect(try store.token() == "S3cret")
        }
        let other = try #require(try PrivateFile.lock(folder[".token.new"]))
        try await fail(.timedOut, "another process has locked")
        try PrivateFile.close(other)
        try FileManager.default.removeItem(at: folder[".token.new"])
        try FileManager.default.createSymbolicLink(at: folder[".token.new"], withDestinationURL: folder["other"])
        try await fail(.authorization, "it is a link")
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
        #expect(error.kind == .timedOut)
        try PrivateFile.close(other)
        try await client.send(Route.get("x"))
        #expect(try store.token() == "new")
    }

    @Test func `A token that was written by hand is trimmed, and an empty one is none`() throws {
        let folder = try Self.folder(["token": " abc\n", "empty": "\n"])
        #expect(try FileCredentialStore(folder["token"]).token() == "abc")
        #expect(try FileCredentialStore(folder["empty"]).token() == nil)
    }

    @Test func `What is no token is an error that does not show it`() async throws {
        let folder = try TemporaryFolder(["folder/x": "1"])
        try Data([0xFF, 0xFE]).write(to: folder["binary"])
        try Data(count: 2 << 20).write(to: folder["large"])
        for name in ["binary", "large"] { try folder.setMode(0o600, of: name) }
        for name in ["folder", "binary", "large"] {
            let error = try #require(throws: APIError.self) { try FileCredentialStore(folder[name]).token() }
            #expect(error.kind == .authorization && error.message.contains(name))
        }
        let error = try await failure { try await FileCredentialStore(folder["folder/x/token"]).save("S3cret") }
        #expect(error.kind == .authorization && !"\(error)".contains("S3cret"))
    }

    @Test func `What is saved can be read, and a larger token is not saved`() async throws {
        let folder = try TemporaryFolder()
        let store = FileCredentialStore(folder["token"])
        let largest = String(repeating: "a", count: 1 << 20)
        try await store.save(largest)
        #expect(try store.token() == largest)
        let error = try await failure { try await store.save(largest + "S3cret") }
        #expect(try error.kind == .authorization && !"\(error)".contains("S3cret") && store.token() == largest)
    }

    @Test(arguments: [0o620, 0o602, 0o666]) func `A file that others may write is refused`(mode: Int) throws {
        let folder = try TemporaryFolder(["token": "S3cret"])
        try folder.setMode(mode, of: "token")
        let error = try #require(throws: APIError.self) { try FileCredentialStore(folder["token"]).token() }
        #expect(error.kind == .authorization && error.message.contains("other users may write"))
        #expect(!"\(error)".contains("S3cret"))
    }

    @Test(arguments: [
        ("link", 0o600, 1), ("link", 0o444, 1), ("token", 0o444, 1), ("token", 0o600, 0), ("in/token", 0o600, 0),
    ])
    func `A file others may read, or a link, is read with one warning`(name: String, mode: Int, warnings: Int) throws {
        let folder = try TemporaryFolder(["token": "abc"])
        let manager = FileManager.default
        try folder.setMode(mode, of: "token")
        try manager.createSymbolicLink(at: folder["link"], withDestinationURL: folder["token"])
        // Only the last component counts as a link.
        try manager.createSymbolicLink(at: folder["in"], withDestinationURL: folder.url)
        let texts = Locked<[String]>([])
        let store = FileCredentialStore(folder[name]) { text in texts.withLock { $0.append(text) } }
        #expect(try store.token() == "abc" && store.token() == "abc" && texts.withLock { $0.count } == warnings)
        #expect(texts.withLock { $0.allSatisfy { $0.contains(name) && !$0.contains("abc") } })
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
