import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import FingerpostShared
import Foundation

/// The settings from which a test's scope is created.
struct ScopeSettings: Sendable {
    /// The environment's name; nil for the default environment of tests.
    var environment: String?
    /// Whether mocks or servers answer calls. Nil means `.sealed`. For an inner trait, nil means the setting of the
    /// outer trait.
    var network: Environment.Network?
    /// The mocks folder; nil to search for the folder.
    var folder: URL?
    var variants: [MockName: String] = [:]
    var scenario: MockScenario?
    /// True if the test fails when a chosen variant answers no call.
    var isStrict = false
    /// The settings of the trait `.recording`; nil for a test whose calls are not recorded.
    var recording: RecordingSettings?

    /// Returns these settings with the recording settings of all traits. All traits of a test that records share one
    /// scope, which uses the folder of the innermost trait that names a folder.
    func recording(with traits: [ScopeSettings]) -> ScopeSettings {
        var settings = self
        settings.recording = traits.reduce(recording) { outer, inner in
            guard let inner = inner.recording else { return outer }
            return outer.map(inner.inheriting) ?? inner
        }
        guard settings.recording != nil else { return settings }
        settings.recording?.folder = nil
        settings.folder = traits.compactMap { $0.recording?.folder ?? $0.folder }.last ?? recording?.folder ?? folder
        return settings
    }

    /// Creates a test case's scope.
    ///
    /// - Parameters:
    ///   - mode: the mode of the test run. The mode matters only to tests that record.
    ///   - run: collects the findings of comparisons. If this argument is nil, the process's run collects the findings.
    func scope(
        file: String, seed: String, mode: MockMode, in run: RecordingRun? = nil,
        variables: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
    ) throws -> APIScope {
        // A missing folder is not an error, because the test may set every response in code. If a response is not set
        // in code, the client reports the places where it searched for the folder.
        let folder = recording?.folder ?? folder
        let mocks = folder ?? (try? MockIndex.url(near: file))
        let recorded = recording == nil ? nil : mode.environment
        var settings = self
        if recorded != nil { settings.network = .live }
        var environment: Environment?
        var failure: EnvironmentError?
        // If the default environment cannot be loaded, the scope stores the error. The error is not thrown here,
        // because another trait may still name an environment that can be loaded.
        do throws(EnvironmentError) {
            environment =
                if let recorded { try MockDrift.load(recorded, in: nil, besides: mocks) } else { try settings.loaded() }
        } catch {
            if settings.environment != nil || recorded != nil { throw error }
            failure = error
        }
        let network = settings.network ?? .sealed
        var recorder: (any Recorder)?
        if let recording, let recorded, let environment {
            if environment.network != .live {
                throw ValueSource.variable(MockMode.variable).problem(
                    "\"\(recorded)\" is an environment that answers from mocks",
                    fix: "name an environment whose \"$network\" is live")
            }
            if case .drift = mode {
                recorder = ComparingRecorder(
                    recording, environment, folder: try mocks ?? MockIndex.url(near: file), in: run ?? .ofProcess)
            } else {
                var writer = try RecordingMiddleware(
                    environment: environment,
                    recorder: .shared(for: folder ?? MockIndex.url(near: file, isWritten: true)),
                    variables: variables())
                (writer.ignoring, writer.isOfTest) = (recording.ignoring, true)
                recorder = writer
            }
        }
        return APIScope(
            environment: environment, network: network, mocks: mocks, clock: Self.clock(for: network),
            seedOfTest: SeededGenerator.seed(of: seed),
            missingSources: mocks == nil ? MockIndex.missingSources(of: file) : nil,
            observers: [recorder as? any CallObserver].compactMap(\.self)
        ).with(variants: variants, isStrict: isStrict, scenario: scenario) {
            ($0.failure, $0.recorder) = (failure, recorder)
        }
    }

    /// Returns the clock of a test. If only mocks answer, waits take no time. If servers answer, waits take real time,
    /// because a wait that a server requests must be real.
    fileprivate static func clock(for network: Environment.Network) -> any Clock<Duration> {
        network == .sealed ? VirtualClock() : ContinuousClock()
    }

    /// Loads the environment that a trait names. If no trait names an environment, loads the environment of the
    /// process, which in tests is `Testing`. If there are no environment files, returns an environment whose base URL
    /// cannot be reached.
    private func loaded() throws(EnvironmentError) -> Environment {
        if let environment { return try Environment.load(environment) }
        do {
            return try ProcessEnvironment.current.get()
        } catch {
            if error.absence == .noFolder { return try Self.withoutFiles.get() }
            guard error.absence != nil else { throw error }
            throw error.fixed(by: "add Testing-Env.json, or add the trait .environment(\"…\") to the test")
        }
    }

    /// The environment for tests without environment files. Names in the domain `.invalid` never resolve, because this
    /// domain is reserved (RFC 2606 section 2).
    private static let withoutFiles = Result { () throws(EnvironmentError) in
        try Environment("Testing", values: ["baseURL": "https://testing.invalid"])
    }
}

extension EnvironmentError {
    /// Returns a copy of the error with a different fix, for callers that know a better fix.
    fileprivate func fixed(by fix: String) -> EnvironmentError {
        EnvironmentError(kind, problems.map(\.message).joined(separator: "; "), file: problems.first?.file, fix: fix)
    }
}

extension APIScope {
    /// Returns a copy of a test case's scope with the settings of another trait added.
    func with(_ settings: ScopeSettings) throws -> APIScope {
        // A recording must come from the environment that MOCKS names, so no trait can change the environment or the
        // network while recording.
        if self.settings.recorder != nil {
            return with(variants: settings.variants, isStrict: settings.isStrict, scenario: settings.scenario)
        }
        let environment = try settings.environment.map { try Environment.load($0) }
        return with(
            variants: settings.variants, isStrict: settings.isStrict, scenario: settings.scenario,
            clock: settings.network.map(ScopeSettings.clock)
        ) { new in
            (new.environment, new.network, new.mocks) = (environment, settings.network, settings.folder)
        }
    }
}
