import TestSupport

@testable import Fingerpost
@testable import FingerpostFiles

/// The process's own environment: when there is none, and what is remembered.
@Suite(.inTurn, .withAndWithoutStrictParser) struct ProcessEnvironmentTests {
    private static func failure(
        _ kind: EnvironmentError.Kind, _ absence: EnvironmentError.Absence? = nil
    ) -> Result<Environment, EnvironmentError> { .failure(EnvironmentError(kind, "no", absence: absence)) }

    /// What a process that loads these answers, one after the other, has as its environment each time.
    private static func environments(_ answers: [Result<Environment, EnvironmentError>]) -> [String] {
        let rest = Locked(answers)
        let process = ProcessEnvironment { _, _, _ throws(EnvironmentError) in
            try rest.withLock { $0.removeFirst() }.get()
        }
        return answers.map { _ in
            do throws(EnvironmentError) { return try process.get().name } catch { return "\(error)" }
        }
    }

    @Test func `An error is not remembered, but the environment is, and that none is selected`() throws {
        let (one, two) = try (Environment("One"), Environment("Two"))
        let seen = [
            Self.environments([Self.failure(.invalidFile), Self.failure(.notFound), .success(one), .success(two)]),
            Self.environments([Self.failure(.notFound, .noFolder), .success(one)]),
            Self.environments([Self.failure(.notFound, .noneSelected), .success(one)]),
        ]
        #expect(seen == [["no", "no", "One", "One"], ["no", "no"], ["no", "no"]])
    }

    // MARK: Searching

    private static let staging = (
        target: "Staging", reason: "; the environment variable APP_ENVIRONMENT names it"
    )

    private func search(
        _ folder: TemporaryFolder, for request: EnvironmentSelection.Request? = nil
    ) throws -> EnvironmentFolder {
        let process = ResourceBundles(loaded: [folder["build"]], executable: "App", workingDirectory: folder["work"])
        return try EnvironmentFolder(searching: nil, for: request, process: process)
    }

    private func link(_ name: String, to target: String, in folder: TemporaryFolder) throws {
        try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: target)
    }

    @Test func `No folder, and none that is selected, are no errors for clients with a base URL`() throws {
        let folder = try TemporaryFolder(["work/notes.txt": "", "build/App_App.resources/Mocks/a.json": "1"])
        let failures = [nil, Self.staging, (target: "Base", reason: "")].map { request in
            folder.relative(environmentFailure { try search(folder, for: request) })
        }
        // An environment that is asked for is missing for them too.
        #expect(
            failures.joined(separator: "\n") == """
                notFound, noFolder: Environments: there is no such folder; looked in build/Environments, work/Environments. Fix: add Environments/<Name>-Env.plist or .json, or use APIClient(baseURL:) without environments
                notFound: Environments: there is no such folder for the environment "Staging"; the environment variable APP_ENVIRONMENT names it; looked in build/Environments, work/Environments. Fix: add Environments/Staging-Env.plist or .json
                notFound: Environments: there is no such folder for the environment "Base"; looked in build/Environments, work/Environments. Fix: add Environments/<Name>-Env.plist or .json
                """)
        let two = try TemporaryFolder(["work/Environments/A-Env.json": "{}", "work/Environments/B-Env.json": "{}"])
        let selection = EnvironmentSelection(variable: nil, infoPlist: nil, products: [], isTestProcess: false)
        let unselected = environmentFailure { try selection.target(nil, in: search(two)) }
        #expect(unselected.hasPrefix("notFound, noneSelected: "), "\(unselected)")
    }

    @Test(arguments: ["work/Environments", "build/App_App.resources/Environments"])
    func `A folder that cannot be reached is an error`(name: String) throws {
        for target in ["Environments", "missing"] {
            let folder = try TemporaryFolder(["work/notes.txt": "", "build/App_App.resources/Mocks/a.json": "1"])
            try link(name, to: target, in: folder)
            let failure = environmentFailure { try search(folder) }
            let isNamed = failure.contains("the target of this link cannot be reached")
            #expect(failure.hasPrefix("invalidFile: ") && isNamed, "\(failure)")
        }
    }

    /// The limit applies to the whole process, so the test runs in one of its own.
    @Test(.heavy) func `Too many open files are an error, and are forgotten`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder(["work/Environments/X-Env.json": "{}", "build/notes.txt": ""])
            let (places, work) = ([folder["build"]], folder["work"])
            let process = ProcessEnvironment { _, _, _ throws(EnvironmentError) in
                let bundles = ResourceBundles(loaded: places, executable: "App", workingDirectory: work)
                let folder = try EnvironmentFolder(searching: nil, for: nil, process: bundles)
                return try Environment.load("X", from: folder.url)
            }
            var limit = rlimit()
            try #require(getrlimit(openFiles, &limit) == 0)
            let before = limit
            limit.rlim_cur = 0
            try #require(setrlimit(openFiles, &limit) == 0)
            let error = #expect(throws: EnvironmentError.self) { try process.get() }
            limit = before
            try #require(setrlimit(openFiles, &limit) == 0)
            let found = try (error?.absence, process.get().name)
            #expect(found == (nil, "X"))
        }
    }
}

#if canImport(Glibc)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
    private let openFiles = RLIMIT_NOFILE
#endif
