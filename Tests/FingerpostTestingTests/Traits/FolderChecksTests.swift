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
        // Secrets files are not everybody's.
        let found = ["user.json:1", "statsu", "$netwrok", "Secrets"].map { part in
            problems.contains { $0.contains(part) }
        }
        #expect((found, FolderChecks.newProblems(of: mocks)) == ([true, true, true, false], []), "\(problems)")
    }

    @Test func `A wrong file is one issue, of the test that met it`() async throws {
        let problem = FileProblem(path: "Mocks/user.mock.json", line: 3, message: "wrong", fix: nil)
        let issues = try await recordedIssues { FolderChecks.report([problem]) }
        #expect(issues.map(\.text) == ["\(problem)"])
    }

    @Test func `A file of git-crypt says that it is encrypted, and files without a mistake have no problems`() throws {
        let found = try ["\0GITCRYPT\0abc", #"{"baseURL": "https://a.example"}"#].map { text in
            let folder = try TemporaryFolder(["Mocks/user.json": "{}", "Environments/Testing-Env.json": text])
            return FolderChecks.problems(of: folder["Mocks"]).map { folder.relative($0.description) }
        }
        let problem =
            "Environments/Testing-Env.json: error: the file is encrypted with git-crypt. Fix: run git-crypt unlock"
        #expect(found == [[problem], []])
    }
}
