#if DEBUG
    import Fingerpost
    import FingerpostDocuments
    import FingerpostShared
    import FingerpostFiles
    import FingerpostMockFiles
    import Foundation

    /// The folder that the environment variable `MOCKS_CONTROL` names. In this folder, a UI test in another process
    /// changes the app's mocks and reads the app's calls. `MockControl` of `FingerpostUITesting` is the other side.
    final class ControlFolder: Sendable {
        // FingerpostUITesting imports only Foundation, so it repeats these four constants. A test compares the
        // constants.
        static let variable = "MOCKS_CONTROL"
        /// The file with the choices of the other process.
        static let order = "control.json"
        /// The version of the format of `control.json` that this app can read.
        static let version = 1
        /// The file with the calls of this app.
        static let calls = "calls.jsonl"

        private struct State {
            /// The version of the file that was read last.
            var version: FileStatus.Version?
            var order: Result<ControlOrder, APIError> = .success(ControlOrder())
            /// The mocks folder against which the choices were checked.
            var mocks: MockIndex?
            /// The lock that prevents other apps from using the folder. Nil on devices.
            var lock: FileHandle?
            var hasWarned = false
            /// True if the last line in the file of calls is incomplete.
            var isCut = false
        }

        private let url: URL
        private let locks: Bool
        private let state = Locked(State())

        /// False on devices, because the system kills a suspended app that holds a file lock in an app group's
        /// container.
        private static var locks: Bool {
            #if os(macOS) || targetEnvironment(simulator) || !canImport(Darwin)
                true
            #else
                false
            #endif
        }

        /// - Parameter locks: true to prevent other apps from using the folder.
        init(_ url: URL, locks: Bool = ControlFolder.locks) {
            (self.url, self.locks) = (url, locks)
        }

        /// The folder of this process. Nil if the environment variable is not set.
        static let current = DebugBuildVariables.value(variable).map {
            ControlFolder(URL(fileURLWithPath: $0, isDirectory: true))
        }

        private func file(_ name: String) -> URL { url.appendingPathComponent(name) }

        // MARK: Orders

        /// Reads the choices of the other process. The file is read again after each change.
        ///
        /// - Parameter mocks: the folder whose mocks the choices may name.
        /// - Throws: ``APIError`` if the file is invalid, or if another app uses the folder.
        func order(for mocks: MockIndex) throws(APIError) -> ControlOrder {
            let result = state.withLock { state -> Result<ControlOrder, APIError> in
                do throws(APIError) { try lock(&state) } catch { return .failure(error) }
                let file = file(Self.order)
                // Any error means that there are no new choices.
                guard let version = try? FileStatus(of: file.path).version else {
                    // If the folder was removed, the last choices stay valid.
                    if !url.isFolder {
                        warn("the folder \(FilePath.display(url)) is gone", &state)
                    } else {
                        (state.version, state.order) = (nil, .success(ControlOrder()))
                    }
                    return state.order
                }
                if version == state.version, state.mocks === mocks { return state.order }
                (state.version, state.mocks) = (version, mocks)
                state.order = Result { () throws(InvalidFile) in try Self.read(file, mocks) }
                    .mapError { APIError($0.problems) }
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
                    fix: "quit the other app, or use one MockControl for each app")
            }
        }

        private enum Key: String, CaseIterable {
            case version, change, scenario, mocks
        }

        private static func read(_ file: URL, _ mocks: MockIndex) throws(InvalidFile) -> ControlOrder {
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
                // The call may have failed before it read the other process's choices. The next call that reads the
                // choices reports why the folder is not locked.
                do throws(APIError) { try lock(&state) } catch { return }
                // If this app has no lock, another app may write to the file. The other app's calls would look like
                // calls of this app.
                guard !locks || state.lock != nil else { return }
                // If the disk was full, the previous line may be incomplete.
                let line = state.isCut ? Data("\n".utf8) + line : line
                do {
                    // Another process may have created a pipe with this name, and a write to a pipe may never return.
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

        /// Prints only the first warning. The app continues without the folder.
        private func warn(_ text: String, _ state: inout State) {
            if state.hasWarned { return }
            state.hasWarned = true
            StandardError.warn("\(Self.variable): \(text)")
        }
    }
#endif
