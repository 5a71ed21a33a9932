import Fingerpost
import FingerpostFiles
import Foundation

/// The settings from which the scope of a test is made.
struct ScopeSettings: Sendable {
    /// The environment's name; nil for the default environment of tests.
    var environment: String?
    /// nil for `.sealed` or, in an inner scope, for the network of the outer one.
    var network: Environment.Network?
    /// The mocks folder; nil to search for it.
    var folder: URL?
    var variants: [MockName: String] = [:]
    /// True if the test fails when a chosen variant answers no call.
    var isStrict = false

    init() {}

    /// Makes the scope of a test case.
    func scope(file: String, seed: String) throws -> APIScope {
        // A missing folder is not an error: the test may set every answer in code. Otherwise the client reports where
        // it searched.
        let mocks = folder ?? (try? MockFolder.url(near: file))
        var settings = self
        let recorded: String? =
            if case .record(let name) = try MockMode.current(), network != .live { name } else { nil }
        if let recorded {
            settings.environment = recorded
            settings.network = .live
        }
        var environment: Environment?
        var failure: EnvironmentError?
        // The scope keeps the failure of the default environment, because another trait may still name one that loads.
        do throws(EnvironmentError) { environment = try settings.loaded() } catch {
            if settings.environment != nil { throw error }
            failure = error
        }
        let scope = APIScope(
            environment: environment, network: settings.network ?? .sealed, mocks: mocks, clock: VirtualClock(),
            seed: SeededGenerator.seed(of: seed)
        ).with(variants: variants, isStrict: isStrict, failure: failure)
        guard let recorded else { return scope }
        guard let environment, !environment.isSealed else {
            throw ValueSource.variable(MockMode.variable).problem(
                "\"record:\(recorded)\" names a sealed environment, whose server is never called",
                fix: "name an environment whose \"$network\" is live")
        }
        return scope.with(
            recorder: try RecordingMiddleware(environment: environment, folder: mocks, filePath: file))
    }

    /// The named environment; else that of the process, which in tests is `Testing`; else, if there are no environment
    /// files, one with a base URL that does not exist.
    private func loaded() throws(EnvironmentError) -> Environment {
        if let environment { return try Environment.load(environment) }
        do {
            return try Environment.process.get()
        } catch {
            guard error.kind == .notFound else { throw error }
            if FolderSearch(EnvironmentFolder.name).found == nil { return try Self.withoutFiles.get() }
            throw error.fixed(by: "add Testing-Env.json, or add the trait .environment(\"…\") to the test")
        }
    }

    /// The top-level domain `.invalid` is reserved and never resolves (RFC 2606 section 2).
    private static let withoutFiles = Result { () throws(EnvironmentError) in
        try Environment("Testing", values: ["baseURL": "https://testing.invalid"])
    }
}

extension APIScope {
    /// Adds the settings of another trait to the scope of a test case.
    func with(_ settings: ScopeSettings) throws -> APIScope {
        // A recording must come from the environment that MOCKS names, so a trait cannot change the environment or the
        // network.
        if recorder != nil { return with(variants: settings.variants, isStrict: settings.isStrict) }
        return with(
            environment: try settings.environment.map { try Environment.load($0) },
            network: settings.network, mocks: settings.folder, variants: settings.variants, isStrict: settings.isStrict)
    }
}
