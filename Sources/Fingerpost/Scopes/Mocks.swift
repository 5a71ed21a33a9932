import FingerpostFiles
import Foundation

/// The mocks of the current scope: what answers, and what was asked.
///
/// ```swift
/// @Test(.mocks) func retriesOnce() async throws {
///     Mocks.set("user", .sequence([.status(503), .json(User(login: "octocat"))]))
///     try await model.load()
///     #expect(Mocks.calls.map(\.name) == ["user", "user"])
/// }
/// ```
///
/// Everything here is about the innermost ``APIScope`` that the code runs in, so parallel tests do not meet. Outside of any scope there is
/// nothing to change, which is said on standard error.
public enum Mocks {
    /// Chooses what answers a mock from now on, instead of what the folder has for it.
    public static func set(_ mock: MockName, _ answer: MockAnswer) {
        scope("set \"\(mock)\"")?.playback.set(answer, for: mock)
    }

    /// Lets the folder answer a mock again.
    public static func reset(_ mock: MockName) {
        scope("reset \"\(mock)\"")?.playback.set(nil, for: mock)
    }

    /// The calls of the scope, those of scopes inside included, in the order in which they began. Of more than 10,000 the oldest are left
    /// out.
    public static var calls: [LoggedCall] { scope("read the calls")?.log.calls ?? [] }

    /// The calls of one mock.
    public static func calls(of mock: MockName) -> [LoggedCall] { calls.filter { MockName(rawValue: $0.name) == mock } }

    /// What the test would fail for at its end, and no longer does: for tests that provoke it.
    ///
    /// - Returns: calls that no mock could answer, mocks that do not decode, and answers of sequences that are left over, in words.
    public static func takeProblems() -> [String] {
        scope("take the problems")?.takeProblems() ?? []
    }

    private static func scope(_ what: String) -> APIScope? {
        if let scope = APIScope.current { return scope }
        StandardError.warn(
            "there is no scope here to \(what) in. Use it inside a test that has the trait .mocks, or inside APIScope.run."
        )
        return nil
    }
}
