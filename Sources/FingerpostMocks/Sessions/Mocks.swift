public import Fingerpost
import FingerpostFiles
import Foundation

/// Sets the responses of mocks in the current scope, and lists the scope's calls.
///
/// ```swift
/// @Test(.mocks) func loadsAgainAfterAnError() async throws {
///     Mocks.set("user", .sequence([.status(503), .file]))                 // then the mock's own file
///     await #expect(throws: APIError.self) { try await model.load() }
///     try await model.load()
///     #expect(Mocks.calls(of: "user").map(\.status) == [503, 200])
/// }
/// ```
///
/// All members use the innermost ``/Fingerpost/APIScope`` of the running task, so parallel tests do not affect each
/// other. Outside any scope, all members of `Mocks` have no effect and print a warning to standard error.
public enum Mocks {
    /// Sets the response of a mock for all further calls, in place of the mock's file. For a response that several
    /// tests share, use a variant in the mocks folder.
    ///
    /// - Parameters:
    ///   - mock: the name of the mock. A mock whose response is set in code needs no file.
    ///   - answer: the response for all further calls, until ``reset(_:)``.
    public static func set(_ mock: MockName, _ answer: MockResponse) {
        scope("set \"\(mock)\"")?.overrides?.set(answer, for: mock)
    }

    /// Removes the response that was set for a mock, so that the mock's file answers again.
    public static func reset(_ mock: MockName) {
        scope("reset \"\(mock)\"")?.overrides?.set(nil, for: mock)
    }

    /// Uses a scenario for all further calls, in place of the current scenario.
    ///
    /// ```swift
    /// @Test(.mocks, arguments: MockScenario.all) func starts(_ scenario: MockScenario) async throws {
    ///     try Mocks.use(scenario)
    ///     await model.start()
    /// }
    /// ```
    ///
    /// For one scenario, the trait `.mocks(scenario: "offline")` is shorter.
    ///
    /// - Parameter scenario: the scenario; nil for none.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `mock` if the mocks folder has no such scenario, or if its
    ///   scenarios are invalid.
    public static func use(_ scenario: MockScenario?) throws(APIError) {
        try scope("use the scenario \(scenario.map { "\"\($0)\"" } ?? "nil")")?.use(scenario)
    }

    /// The calls of the scope and of the scopes nested in it, in the order in which they started. When the scope has
    /// 10,000 calls, the older half is removed from this list, except calls in progress and calls with problems.
    ///
    /// If a test makes thousands of calls and reads this list after each call, do not store the list in a variable. As
    /// long as an earlier list is stored, each read copies the whole list.
    public static var calls: [LoggedCall] { scope("read the calls")?.calls ?? [] }

    /// The calls of one mock, in the order in which they started. A call whose route names this mock is included even
    /// if a server answered the call. This method searches all calls of the scope.
    public static func calls(of mock: MockName) -> [LoggedCall] { calls.filter { $0.mocks.contains(mock) } }

    /// Waits until the next call of a mock has been answered or has failed. Use this method to test code that sends
    /// calls on its own, such as a search while the user types, or a list that reloads.
    ///
    /// ```swift
    /// model.text = "swift"                                    // searches after a pause
    /// try await Mocks.next("search")
    /// #expect(model.results.count == 3)
    /// ```
    ///
    /// A call that was answered before this method is called counts too, but each call is returned only once. Before
    /// this method returns, the code that awaits the response gets a few milliseconds to run.
    ///
    /// - Throws: ``/Fingerpost/APIError``. The error's kind is `timedOut` if no call is answered within ten seconds of
    ///   real time (longer on a busy machine). The kind is `cancelled` if the task is cancelled.
    @discardableResult
    public static func next(
        isolation: isolated (any Actor)? = #isolation, _ mock: MockName
    ) async throws(APIError) -> LoggedCall {
        let scope = scope("wait for the mock \"\(mock)\"")
        let end = ContinuousClock.now + .seconds(10)
        // On a busy machine, the caller's actor may run only a few times in ten seconds, so the loop also takes at
        // least 1,000 turns.
        var turns = 0
        while let scope, ContinuousClock.now < end || turns < 1000 {
            turns += 1
            if let call = scope.mockSession?.next(of: mock) {
                await letOthersRun()
                return call
            }
            do { try await Task.sleep(for: .milliseconds(1)) } catch { throw APIError(transport: error) }
        }
        throw noCall(of: mock, in: scope)
    }

    /// Gives other code, which waits for a response, time to run on the caller's actor and on other threads.
    /// `Task.yield()` alone is not enough if the system has suspended the other thread.
    private static func letOthersRun(isolation: isolated (any Actor)? = #isolation) async {
        for _ in 0..<5 {
            for _ in 0..<10 { await Task.yield() }
            // If the task is cancelled, this call returns immediately.
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    // This function is not inlined, because the compiler copies the code of an `async` function after each `await`.
    @inline(never)
    private static func noCall(of mock: MockName, in scope: APIScope?) -> APIError {
        let names = Set(scope?.calls.map(\.name) ?? []).ordered(by: <)
        return APIError(
            .timedOut,
            scope == nil
                ? "cannot wait for a call of the mock \"\(mock)\", because there is no scope here"
                : "no call of the mock \"\(mock)\" was answered within 10 seconds"
                    + NearestName.hint(mock.rawValue, in: names),
            fix: names.isEmpty
                ? "check that the code sends a call" : "the calls of the test: \(names.joined(separator: ", "))")
    }

    /// Returns the problems so far and clears them, so that they do not fail the test at its end. Use this method in
    /// tests that provoke problems on purpose.
    ///
    /// - Returns: messages for calls that no mock could answer, mocks that do not decode, and unused responses of
    ///   sequences.
    public static func takeProblems() -> [String] {
        scope("take the problems")?.takeProblems() ?? []
    }

    private static func scope(_ what: String) -> APIScope? {
        if let scope = APIScope.current { return scope }
        StandardError.warn(
            "cannot \(what): there is no scope here. Use Mocks in a test with the trait .mocks, or inside APIScope.run."
        )
        return nil
    }
}
