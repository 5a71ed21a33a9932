import Fingerpost
import FingerpostFiles
import Foundation

/// What the scope of a test is made from.
struct ScopeSettings: Sendable {
    /// The environment's name; nil for the one that tests have by default.
    var environment: String?
    /// nil for mocks alone.
    var network: Environment.Network?
    var folder: URL?
    var variants: [MockName: String] = [:]
    /// True when every variant must be asked for.
    var isStrict = false

    init() {}

    /// The scope of a test case.
    func scope(file: String, seed: String) throws -> APIScope {
        // A test may set every answer in code. Where one is missing, the client says where it looked.
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
        // Where another trait names an environment, it does not matter that there is none by default.
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
                "\"record:\(recorded)\" names a sealed environment, which has no servers", fix: "name one that has")
        }
        return scope.with(
            recorder: try RecordingMiddleware(environment: environment, folder: mocks, filePath: file))
    }

    /// The environment that is named; else that of the process, which in tests is `Testing`; else, where there are no files at all, one
    /// whose servers do not exist.
    private func loaded() throws(EnvironmentError) -> Environment {
        if let environment { return try Environment.load(environment) }
        do {
            return try Environment.process.get()
        } catch {
            guard error.kind == .notFound else { throw error }
            if FolderSearch(EnvironmentFolder.name).found == nil { return try Self.withoutFiles.get() }
            throw error.fixed(by: "add Testing-Env.json, or give the test the trait .environment(\"…\")")
        }
    }

    /// `.invalid` is no top-level domain and never becomes one (RFC 2606 section 2).
    private static let withoutFiles = Result { () throws(EnvironmentError) in
        try Environment("Testing", values: ["baseURL": "https://testing.invalid"])
    }
}

extension APIScope {
    /// The scope of a test case with what another of its traits says.
    func with(_ settings: ScopeSettings) throws -> APIScope {
        // While mocks are recorded they come from one environment, and nothing may send the calls elsewhere.
        if recorder != nil { return with(variants: settings.variants, isStrict: settings.isStrict) }
        return with(
            environment: try settings.environment.map { try Environment.load($0) },
            network: settings.network, mocks: settings.folder, variants: settings.variants, isStrict: settings.isStrict)
    }
}
