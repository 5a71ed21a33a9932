import TestSupport

@testable import Fingerpost
@testable import FingerpostFiles

/// The process's own environment: when there is none, and what is remembered.
@Suite(.inTurn, .withAndWithoutStrictParser) struct ProcessEnvironmentTests {
    /// Answers one after the other, and counts the answers.
    private final class Answers: Sendable {
        private let rest: Locked<[Result<Environment, EnvironmentError>]>

        init(_ answers: [Result<Environment, EnvironmentError>]) { rest = Locked(answers) }

        func next() throws(EnvironmentError) -> Environment { try rest.withLock { $0.removeFirst() }.get() }
    }

    private static func failure(
        _ kind: EnvironmentError.Kind, _ absence: EnvironmentError.Absence? = nil
    ) -> Result<Environment, EnvironmentError> { .failure(EnvironmentError(kind, "no", absence: absence)) }

    @Test func `An error is not remembered, but the environment is`() throws {
        let answers = Answers([
            Self.failure(.invalidFile), Self.failure(.notFound), .success(try Environment("One")),
            .success(try Environment("Two")),
        ])
        let process = ProcessEnvironment { _, _, _ throws(EnvironmentError) in try answers.next() }
        #expect(throws: EnvironmentError.self) { try process.get() }
        #expect(throws: EnvironmentError.self) { try process.get() }
        #expect(try (process.get().name, process.get().name) == ("One", "One"))
    }

    @Test(arguments: [EnvironmentError.Absence.noFolder, .noneSelected])
    func `The answer that no environment is selected is remembered`(absence: EnvironmentError.Absence) throws {
        let answers = Answers([Self.failure(.notFound, absence), .success(try Environment("Late"))])
        let process = ProcessEnvironment { _, _, _ throws(EnvironmentError) in try answers.next() }
        #expect(throws: EnvironmentError.self) { try process.get() }
        #expect(throws: EnvironmentError.self) { try process.get() }
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

    @Test func `No folder is not an error for clients with a base URL, unless an environment is asked for`() throws {
        let folder = try TemporaryFolder(["work/notes.txt": "", "build/App_App.resources/Mocks/a.json": "1"])
        let none = #expect(throws: EnvironmentError.self) { try search(folder) }
        #expect(none?.absence == .noFolder)
        let asked = #expect(throws: EnvironmentError.self) { try search(folder, for: Self.staging) }
        #expect(asked?.absence == nil)
        let start =
            "Environments: there is no such folder for the environment \"Staging\"; the environment variable "
            + "APP_ENVIRONMENT names it; looked in "
        #expect(asked?.description.hasPrefix(start) == true, "\(asked.map { "\($0)" } ?? "")")
        #expect(asked?.description.contains("add Environments/Staging-Env.plist or .json") == true)
        let base = (target: "Base", reason: "")
        let noBase = #expect(throws: EnvironmentError.self) { try search(folder, for: base) }
        #expect(noBase?.description.contains("add Environments/<Name>-Env.plist or .json") == true)
    }

    @Test(arguments: ["work/Environments", "build/App_App.resources/Environments"])
    func `A folder that cannot be reached is an error`(name: String) throws {
        for target in ["Environments", "missing"] {
            let folder = try TemporaryFolder(["work/notes.txt": "", "build/App_App.resources/Mocks/a.json": "1"])
            try link(name, to: target, in: folder)
            let error = #expect(throws: EnvironmentError.self) { try search(folder) }
            #expect(error?.absence == nil && error?.kind == .invalidFile)
            #expect(error?.description.contains("the target of this link cannot be reached") == true)
        }
    }

    @Test func `A folder without a selected environment is an error of its own kind`() throws {
        let folder = try TemporaryFolder(["work/Environments/A-Env.json": "{}", "work/Environments/B-Env.json": "{}"])
        let selection = EnvironmentSelection(variable: nil, infoPlist: nil, products: [], isTestProcess: false)
        let error = #expect(throws: EnvironmentError.self) { try selection.target(nil, in: search(folder)) }
        #expect(error?.absence == .noneSelected)
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
            #expect(try (error?.absence, process.get().name) == (nil, "X"))
        }
    }
}

#if canImport(Glibc)
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
    private let openFiles = RLIMIT_NOFILE
#endif
