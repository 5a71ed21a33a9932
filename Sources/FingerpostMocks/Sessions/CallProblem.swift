import Fingerpost
import FingerpostFiles

/// The problem for which the test of a call must fail. The scope keeps the problem for the call.
final class CallProblem: Sendable {
    private struct State {
        /// Why no mock could answer, even if middleware catches the error.
        var refusal: String?
        /// True if there was no mock.
        var lacksMock: Bool
        /// True if the response is broken on purpose, so that a decoding error is not reported.
        var isFaultIntended: Bool
        /// True when the problem was reported.
        var isTaken: Bool
    }

    private let state: Locked<State>

    init() {
        state = Locked(State(refusal: nil, lacksMock: false, isFaultIntended: false, isTaken: false))
    }

    /// True when the problem was reported.
    fileprivate var isTaken: Bool { state.withLock { $0.isTaken } }

    fileprivate var lacksMock: Bool { state.withLock { $0.lacksMock } }

    /// True for the first caller, who reports the problem.
    fileprivate func take() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Marks the response as broken on purpose.
    func intendFault() { state.withLock { $0.isFaultIntended = true } }

    /// Stores the error of a mock that could not answer.
    ///
    /// - Parameter isMissing: true if there is no mock.
    func refused(_ error: APIError, of call: CallRecord, isMissing: Bool) {
        guard error.kind == .mock else { return }
        let refusal = "\(LoggedCall(call).route): \(error.redacted(by: call.secrets))"
        state.withLock { ($0.refusal, $0.lacksMock, $0.isTaken) = (refusal, isMissing, false) }
    }

    /// The problem that no mock could answer, or that one which did not break on purpose does not decode; nil if there
    /// is none.
    func problem(of call: LoggedCall) -> String? {
        let (refusal, isFaultIntended) = state.withLock { ($0.refusal, $0.isFaultIntended) }
        guard let error = call.error else { return refusal }
        let isMocked = if case .mock? = call.source { true } else { false }
        if error.kind == .decoding, isMocked, !isFaultIntended {
            return "\(error)\n  on purpose?  a test that expects this error calls Mocks.takeProblems()"
        }
        return error.kind == .mock ? error.description : refusal
    }
}

extension CallRecord {
    private var callProblem: CallProblem? { note as? CallProblem }

    /// The reason why the call's test must fail; nil if there is no problem, or if the problem was taken.
    private var problem: String? {
        guard let callProblem, !callProblem.isTaken else { return nil }
        let call = LoggedCall(self)
        return callProblem.problem(of: call) ?? call.misfit
    }

    /// The problem. It is returned only once.
    func takeProblem() -> String? {
        guard let problem, callProblem?.take() == true else { return nil }
        return problem
    }

    var hasProblem: Bool { problem != nil }

    /// True if the problem is that there was no mock.
    var lacksMock: Bool { hasProblem && callProblem?.lacksMock == true }

    /// True when the call has ended and has no problem to report.
    var isSettled: Bool { LoggedCall(self).ended != nil && !hasProblem }

    /// The problem to report when the call is still in progress at the end of the test; nil when the call has ended.
    var unfinished: String? {
        let call = LoggedCall(self)
        guard call.ended == nil else { return nil }
        return "\(call.route) was still in progress when the test ended; await it, or cancel it and await its end"
    }
}

extension LoggedCall {
    /// The names by which a test finds the call: the name of the mock that answered, or the names of the mock that
    /// would have answered in place of a server.
    var mocks: [MockName] {
        let name = MockName(rawValue: name)
        // A case whose name cannot be read has no mock.
        return isMocked ? [name] : [name] + ((try? record.route.mockNames) ?? [])
    }

    /// The problem that the call decodes another type than its route declares; nil if there is none. A call that
    /// returns or ignores the body decodes no type. An optional, which is nil for a response without a body, counts as
    /// the type that the optional wraps.
    fileprivate var misfit: String? {
        guard let decodedType, let declared = record.route.responseType,
            BodyForm.unwrapped(decodedType) != BodyForm.unwrapped(declared), BodyForm(decodedType) == .decoded
        else { return nil }
        return "\(route) declares the response type \(declared), but the call decodes \(decodedType); "
            + "correct the declaration, or the type that is decoded"
    }
}
