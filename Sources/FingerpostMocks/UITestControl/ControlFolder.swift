#if DEBUG
    import Fingerpost
    import FingerpostDocuments
    import FingerpostShared
    import FingerpostFiles
    import FingerpostMockFiles
    import Foundation

    /// The folder that the environment variable `MOCKS_CONTROL` names. In this folder, a UI test in another process
    /// changes the mocks of this app and reads its calls. `MockControl` of `FingerpostUITesting` is the other side.
    final class ControlFolder: Sendable {
        // FingerpostUITesting imports Foundation alone, so it has these four constants again. A test compares them.
        static let variable = "MOCKS_CONTROL"
        /// What the other process has set.
        static let order = "control.json"
        /// The version of `order` that this app reads.
        static let version = 1
        /// The calls of this app.
        static let calls = "calls.jsonl"

        private struct State {
            /// The version of the file that the order was read from.
            var version: FileStatus.Version?
            var order: Result<ControlOrder, APIError> = .success(ControlOrder())
            /// The folder of mocks that the order was checked with.
            var mocks: MockIndex?
            /// The open lock, which keeps other apps from using the folder. Nil without locks.
            var lock: FileHandle?
            var hasWarned = false
            /// True if the last line in the file of calls is not whole.
            var isCut = false
        }

        private let url: URL
        private let locks: Bool
        private let state = Locked(State())

        /// False on devices, where the system ends an app that holds a lock in the container of an app group while it
        /// is suspended.
        private static var locks: Bool {
            #if os(macOS) || targetEnvironment(simulator) || !canImport(Darwin)
                true
            #else
                false
            #endif
        }

        /// - Parameter locks: true to keep other apps from using the folder.
        init(_ url: URL, locks: Bool = ControlFolder.locks) {
            (self.url, self.locks) = (url, locks)
        }

        /// The folder of this process; nil if no folder is set.
        static let current = DebugBuildVariables.value(variable).map {
            ControlFolder(URL(fileURLWithPath: $0, isDirectory: true))
        }

        private func file(_ name: String) -> URL { url.appendingPathComponent(name) }

        // MARK: Orders

        /// Reads the choices of the other process, again after each change of the file.
        ///
        /// - Parameter mocks: the folder whose names are valid.
        /// - Throws: ``APIError`` if the file is invalid, or if another app uses the folder.
        func order(for mocks: MockIndex) throws(APIError) -> ControlOrder {
            let result = state.withLock { state -> Result<ControlOrder, APIError> in
                do throws(APIError) { try lock(&state) } catch { return .failure(error) }
                let file = file(Self.order)
                // Why the file cannot be reached does not matter.
                guard let version = try? FileStatus(of: file.path).version else {
                    // If the folder is gone, the last order stays.
                    if !url.isFolder {
                        warn("the folder \(FilePath.display(url)) is gone", &state)
                    } else {
                        (state.version, state.order) = (nil, .success(ControlOrder()))
                    }
                    return state.order
                }
                if version == state.version, state.mocks === mocks { return state.order }
                (state.version, state.mocks) = (version, mocks)
                state.order = Result { () throws(APIError) in try Self.read(file, mocks) }
                return state.order
            }
            return try result.get()
        }

        /// Locks the folder for this app, on platforms with locks.
        private func lock(_ state: inout State) throws(APIError) {
            if !locks || state.lock != nil { return }
            do { state.lock = try PrivateFile.lock(file("app.lock")) } catch {
                return warn("\(FilePath.display(url)) cannot be locked: \(error.fileReason)", &state)
            }
            if state.lock == nil {
                throw APIError(
                    .mock, "another app uses the folder \(FilePath.display(url)) of \(Self.variable)",
                    fix: "end it, or use one MockControl for each app")
            }
        }

        private static func read(_ file: URL, _ mocks: MockIndex) throws(APIError) -> ControlOrder {
            do throws(InvalidFile) { return try parse(file, mocks) } catch {
                throw APIError(error.problems)
            }
        }

        private enum Key: String, CaseIterable {
            case version, change, scenario, mocks
        }

        private static func parse(_ file: URL, _ mocks: MockIndex) throws(InvalidFile) -> ControlOrder {
            let path = FilePath.display(file)
            var reader = try ObjectReader(path: path) { () throws(FileProblem) in
                let opened = try RegularFile(file, path: path)
                guard opened.size <= 10_000_000 else {
                    throw FileProblem(
                        path: path, message: "the file has \(opened.size) bytes", fix: "use smaller bodies")
                }
                return try opened.contents()
            }
            var order = ControlOrder()
            let root = reader.document.root
            let entries = reader.entries(of: root, "in \(Self.order)", known: Key.allCases.map(\.rawValue))
            let version = entries.named(Key.version.rawValue)?.node
            guard case .integer(Int64(Self.version))? = version?.value else {
                reader.report(
                    version?.offset ?? root.offset, "this app reads version \(Self.version) of this file",
                    fix: "use the same version of Fingerpost in the app and in the UI tests")
                throw InvalidFile(reader.problems)
            }
            for entry in entries {
                switch Key(rawValue: entry.key) {
                case .version?, nil: break
                case .change?: order.number = reader.integer(entry, in: 0...Int(Int32.max)) ?? 0
                case .scenario? where entry.node.value.isNull: break
                case .scenario?:
                    let names = try mocks.scenarioNames()
                    if names.isEmpty {
                        reader.report(
                            entry.node.offset, "there are no scenarios",
                            fix: "add \(MockFileName.scenarios) to the mocks")
                    } else {
                        order.scenario = reader.choice(entry, names).map { MockScenario(rawValue: $0) }
                    }
                case .mocks?: order.changes = MockChanges(entry, in: mocks, allowsBodies: true, &reader)
                }
            }
            try reader.throwProblems()
            return order
        }

        // MARK: Calls

        /// Appends a line about a call.
        func append(_ line: Data) {
            state.withLock { state in
                // A call can fail before it reads the other process's choices. The next call that reads the choices
                // reports why there is no lock.
                do throws(APIError) { try lock(&state) } catch { return }
                // Another app's calls would look like this one's.
                guard !locks || state.lock != nil else { return }
                // The line before may have been cut off, when the disk was full.
                let line = state.isCut ? Data("\n".utf8) + line : line
                do {
                    // Another process may have put a pipe there, and writing to it might never end.
                    let handle = try PrivateFile.open(file(Self.calls), O_WRONLY | O_APPEND | O_CREAT)
                    let count = withExtendedLifetime(handle) {
                        line.withUnsafeBytes { write(handle.fileDescriptor, $0.baseAddress, $0.count) }
                    }
                    if count < 0 { throw POSIXError.last }
                    if count < line.count {
                        state.isCut = true
                        throw POSIXError(.ENOSPC)
                    }
                    state.isCut = false
                } catch {
                    warn("calls cannot be written to \(FilePath.display(url)): \(error.fileReason)", &state)
                }
            }
        }

        /// Warns once, because the app goes on without the folder.
        private func warn(_ text: String, _ state: inout State) {
            if state.hasWarned { return }
            state.hasWarned = true
            StandardError.warn("\(Self.variable): \(text)")
        }
    }
#endif
