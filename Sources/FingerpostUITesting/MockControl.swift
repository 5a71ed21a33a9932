public import Foundation

/// Changes the mocks of a running app and reads the app's calls, from a UI test in another process.
///
/// ```swift
/// let mocks = try MockControl()
/// app.launchEnvironment.merge(mocks.variables) { $1 }
/// app.launchEnvironment["APP_ENVIRONMENT"] = "Testing"
/// app.launch()
/// try mocks.use("login", "locked")                   // from the next call on
/// app.buttons["Sign in"].tap()
/// …
/// try mocks.check()                                  // in tearDown
/// ```
///
/// The app and the test share a folder. A temporary folder works in simulators, and also on the Mac if the App Sandbox
/// is off in the app and in the UI test. By default, Xcode turns the sandbox on for UI tests. Turn the sandbox off in
/// the entitlements of the UI test target, or pass the folder of an app group that the app and the test share. On
/// devices, the app and the test cannot share a folder, so choose the mocks before the launch, with `MOCKS_SCENARIO`
/// and `MOCKS_VARIANTS`.
///
/// The app reads the folder only in debug builds with a sealed environment. Use one `MockControl` for each app that you
/// launch. In tests that run inside the app's process, use the trait `.mocks` of `FingerpostTesting` instead.
public final class MockControl: Sendable {
    /// The folder that the app and the test share.
    public let folder: URL
    private let state = ControlState()

    /// Creates a control for one app. Create the control before you launch the app.
    ///
    /// - Parameter folder: a folder that the app can read and write; by default a new temporary folder. A missing
    ///   folder is created.
    /// - Throws: ``MockControlError`` on a device if no folder is given, and Foundation's error if the folder cannot be
    ///   created or written.
    public convenience init(folder: URL? = nil) throws {
        try self.init(folder: folder, isDevice: Self.isDevice)
    }

    /// - Parameter isDevice: true if the app cannot access the temporary folder of its UI tests.
    init(folder: URL?, isDevice: Bool) throws {
        if isDevice, folder == nil { throw MockControlError.onDevice }
        self.folder =
            folder
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("MockControl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: self.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? FileManager.default.removeItem(at: log)
        try write(state.current)
    }

    #if os(Linux) || os(macOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
        private static let isDevice = false
    #else
        private static let isDevice = true
    #endif

    /// The environment variables to launch the app with.
    public var variables: [String: String] { [ControlFolder.variable: folder.path] }

    private var log: URL { folder.appendingPathComponent(ControlFolder.calls) }

    // MARK: Changes

    /// The scenario from `_scenarios.json` of the app's mocks; nil for none. The app's next call fails if there is no
    /// such scenario.
    ///
    /// If a new value cannot be written, ``check()`` throws the reason.
    public var scenario: String? {
        get { state.current.scenario }
        set {
            do { try state.change({ $0.scenario = newValue }, write: write) } catch {
                state.note("the scenario \(newValue ?? "nil") was not set: \(error.localizedDescription)")
            }
        }
    }

    /// Lets a variant of a mock answer, from the app's next call on.
    ///
    /// - Parameters:
    ///   - mock: the name of the mock; `*` for every mock.
    ///   - variant: the variant; nil for the mock's usual response.
    /// - Throws: Foundation's error if the folder cannot be written.
    public func use(_ mock: String, _ variant: String?) throws {
        guard let variant else { return try reset(mock) }
        try set(mock, .variant(variant))
    }

    /// Sets the response of a mock, from the app's next call on.
    ///
    /// - Parameters:
    ///   - mock: the name of the mock, which must exist; `*` for every mock.
    ///   - answer: the response.
    /// - Throws: Foundation's error if the folder cannot be written.
    public func set(_ mock: String, _ answer: Answer) throws {
        try state.set(mock, answer, write: write)
    }

    /// Removes the variant or response that was set for a mock.
    ///
    /// - Throws: Foundation's error if the folder cannot be written.
    public func reset(_ mock: String) throws { try state.set(mock, nil, write: write) }

    private func write(_ order: ControlState.Current) throws {
        var file: [String: Any] = ["version": ControlFolder.version, "change": order.number]
        file["scenario"] = order.scenario
        file["mocks"] = order.answers.mapValues(\.json)
        let data = try JSONSerialization.data(withJSONObject: file, options: [.prettyPrinted, .sortedKeys])
        try data.write(to: folder.appendingPathComponent(ControlFolder.order), options: .atomic)
    }

    // MARK: Calls

    /// The calls of the app that have ended, in the order in which they ended.
    ///
    /// - Throws: an error if the file of the calls cannot be read.
    public func calls() throws -> [Call] {
        guard FileManager.default.fileExists(atPath: log.path) else { return [] }
        // A read from a pipe might never return.
        guard try FileManager.default.attributesOfItem(atPath: log.path)[.type] as? FileAttributeType == .typeRegular
        else { throw MockControlError(problems: ["\(log.path) is not a regular file; remove it"]) }
        let data = try Data(contentsOf: log)
        // The app may still be writing the last line.
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        // A line is incomplete if the disk was full while the app wrote it. The app has warned about this.
        return lines.compactMap { try? JSONDecoder().decode(Call.self, from: Data($0)) }
    }

    /// The calls of one mock.
    ///
    /// - Throws: an error if the file of the calls cannot be read.
    public func calls(of mock: String) throws -> [Call] {
        try calls().filter { $0.name.utf8.elementsEqual(mock.utf8) }
    }

    /// Throws an error if the test must fail. The reasons are calls without a mock, names that do not exist, mocks that
    /// cannot be decoded, and responses that no call used. Call this method at the end of each test.
    ///
    /// - Throws: ``MockControlError`` with all problems.
    public func check() throws {
        let calls = try calls()
        var problems = state.notes
        for call in calls {
            if let problem = call.problem { problems.append("\(call.line): \(problem)") }
        }
        for use in state.uses where !calls.contains(where: use.isUsed) {
            problems.append(
                "mock \"\(use.mock)\": no call used its answer (\(use.answer)); add the missing call, or remove the answer"
            )
        }
        if calls.isEmpty, state.current.number > 0 || !problems.isEmpty {
            problems.append(
                "the app made no call that a mock answers; launch it with the variables, in a debug build and in a sealed "
                    + "environment")
        }
        if !problems.isEmpty { throw MockControlError(problems: problems) }
    }
}

extension MockControl {
    /// A response for a mock of the app, which runs in another process.
    public struct Answer: Sendable, CustomStringConvertible {
        private enum Kind: Sendable {
            case variant(String)
            case status(Int, body: String?)
            case failure(String)
        }

        private let kind: Kind
        private var delay: Duration?

        /// The response of a variant: `locked` for `login.locked.json`.
        public static func variant(_ name: String) -> Answer { Answer(kind: .variant(name)) }

        /// A response with a status.
        ///
        /// - Parameters:
        ///   - status: the status, from 100 to 599.
        ///   - body: the body, for example JSON. By default, the body comes from the variant named after the status; if
        ///     there is no such variant, the body is empty.
        public static func status(_ status: Int, body: String? = nil) -> Answer {
            Answer(kind: .status(status, body: body))
        }

        /// No response: the connection fails.
        ///
        /// - Parameter name: the name of a `URLError.Code`, such as `timedOut`; or one of `truncated`, `malformed` and
        ///   `empty`.
        public static func failure(_ name: String) -> Answer { Answer(kind: .failure(name)) }

        /// Delays the response. The delay takes real time, at most a day.
        public func delayed(by delay: Duration) -> Answer {
            var answer = self
            answer.delay = delay
            return answer
        }

        /// Returns false if the log shows that a call did not get this response. If the log does not contain enough
        /// information to decide this, returns true.
        ///
        /// - Parameter isOfEveryMock: true if the response was set for every mock. If true, a mock without the variant
        ///   answers with its usual response.
        func isPossible(of call: Call, isOfEveryMock: Bool) -> Bool {
            guard isOfEveryMock, case .variant(let name) = kind else { return true }
            return call.variant?.utf8.elementsEqual(name.utf8) == true
        }

        /// The response in `control.json`.
        var json: [String: Any] {
            var json: [String: Any] = [:]
            switch kind {
            case .variant(let name): json["variant"] = name
            case .status(let status, let body): (json["status"], json["body"]) = (status, body)
            case .failure(let name): json["failure"] = name
            }
            json["delay"] = delay.map { $0 / .seconds(1) }
            return json
        }

        /// The kind of the response, without its body.
        public var description: String {
            switch kind {
            case .variant(let name): "the variant \"\(name)\""
            case .status(let status, _): "the status \(status)"
            case .failure(let name): "the failure \(name)"
            }
        }
    }
}

extension MockControl {
    /// A call of the app that has ended, without secrets.
    public struct Call: Sendable, Codable, CustomStringConvertible {
        /// The name of the mock, or of the route if it has no mock.
        public let name: String
        /// The mock that answered; nil if no mock answered.
        public let mock: String?
        /// The variant that answered; nil if the call used no variant.
        public let variant: String?
        /// The method, the path and the outcome: `GET users/octocat 200`.
        public let line: String
        /// The method of the request; nil if no request could be built.
        public let method: String?
        /// The URL of the request; nil if no request could be built.
        public let url: String?
        /// The status of the response; nil if there was no response.
        public let status: Int?
        /// The kind of the error; nil if the call succeeded.
        public let error: String?
        /// The reason why the test must fail, such as a missing mock; nil if there is none.
        public let problem: String?
        /// The number of the last change that had been made when the call read the choices.
        let change: Int

        /// The ``line``.
        public var description: String { line }
    }
}

/// The problems that make a UI test fail: see ``MockControl/check()`` and ``MockControl/init(folder:)``.
public struct MockControlError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// One text for each problem.
    public let problems: [String]

    static let onDevice = MockControlError(problems: [
        "on a device, an app cannot see the temporary folder of its UI test; choose the mocks before the launch, with "
            + "the environment variables MOCKS_SCENARIO and MOCKS_VARIANTS, or pass a folder that both can write, such as "
            + "that of an app group: MockControl(folder:)"
    ])

    /// All problems, one after the other.
    public var description: String { problems.joined(separator: "\n") }

    /// The ``description``.
    public var errorDescription: String? { description }
}
