import FingerpostFiles

@testable import FingerpostTesting

@Suite(.inTurn) struct FolderChecksTests {
    @Test func `The files beside a test are checked, each folder once`() throws {
        let folder = try TemporaryFolder([
            "Mocks/user.json": "{", "Mocks/user.mock.json": #"{"statsu": 200}"#,
            "Environments/Live-Env.json": #"{"$netwrok": "live"}"#,
            "Environments/Live-Secrets.json": #"{"unlisted": "s3cret-value"}"#,
        ])
        let mocks = folder["Mocks"]
        let problems = FolderChecks.newProblems(of: mocks).map(\.description)
        for part in ["user.json:1", "statsu", "$netwrok"] {
            #expect(problems.contains { $0.contains(part) }, "\(part): \(problems)")
        }
        // Secrets files are not everybody's.
        #expect(!problems.contains { $0.contains("Secrets") } && FolderChecks.newProblems(of: mocks).isEmpty)
    }

    @Test func `A wrong file is one issue, of the test that met it`() async throws {
        let problem = FileProblem(path: "Mocks/user.mock.json", line: 3, message: "wrong", fix: nil)
        let issues = try await recordedIssues { FolderChecks.report([problem]) }
        #expect(issues.map(\.text) == ["\(problem)"])
    }

    @Test func `A file of git-crypt says that it is encrypted`() throws {
        let folder = try TemporaryFolder([
            "Mocks/user.json": "{}", "Environments/Testing-Env.json": "\0GITCRYPT\0abc",
        ])
        let problems = FolderChecks.problems(of: folder["Mocks"]).map(\.description)
        #expect(
            problems.contains { $0.contains("is encrypted with git-crypt. Fix: run git-crypt unlock") }, "\(problems)")
    }

    @Test func `Files without a mistake have no problems`() throws {
        let folder = try TemporaryFolder([
            "Mocks/user.json": "{}", "Environments/Testing-Env.json": #"{"baseURL": "https://a.example"}"#,
        ])
        #expect(FolderChecks.problems(of: folder["Mocks"]).isEmpty)
    }
}
