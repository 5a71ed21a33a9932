import Fingerpost
import FingerpostFiles

/// Stores why a call must fail the test. The scope stores one value of this type for each call.
final class CallProblem: Sendable {
    private struct State {
        /// The reason why no mock could answer. The reason is stored, because middleware may catch the error.
        var refusal: String?
        /// True if the reason is a missing mock.
        var lacksMock = false
        /// True if the response is broken on purpose, so that a decoding error is not reported.
        var isFaultIntended = false
        /// True after the problem was reported.
        var isTaken = false
    }

    private let state = Locked(State())

    /// True after the problem was reported.
    fileprivate var isTaken: Bool { state.withLock { $0.isTaken } }

    fileprivate var lacksMock: Bool { state.withLock { $0.lacksMock } }

    /// Returns true for the first caller only, so that the problem is reported once.
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

    /// Returns the problem of a call: no mock could answer, or the body of a mock could not be decoded. A body that is
    /// broken on purpose is not a problem. Returns nil if there is no problem.
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

    /// The reason why the call must fail the test. Nil if there is no problem, or if the problem has been reported.
    private var problem: String? {
        guard let callProblem, !callProblem.isTaken else { return nil }
        let call = LoggedCall(self)
        return callProblem.problem(of: call) ?? call.misfit
    }

    /// Returns the problem once. Later calls of this method return nil.
    func takeProblem() -> String? {
        guard let problem, callProblem?.take() == true else { return nil }
        return problem
    }

    var hasProblem: Bool { problem != nil }

    /// True if the problem is a missing mock.
    var lacksMock: Bool { hasProblem && callProblem?.lacksMock == true }

    /// True if the call has ended without a problem.
    var isSettled: Bool { LoggedCall(self).ended != nil && !hasProblem }

    /// The problem of a call that has not finished at the end of the test. Nil if the call has finished.
    var unfinished: String? {
        let call = LoggedCall(self)
        guard call.ended == nil else { return nil }
        return "\(call.route) was still in progress when the test ended; await it, or cancel it and await its end"
    }
}

extension LoggedCall {
    /// The names by which a test finds the call. If a mock answered, the list contains only this mock's name. If a
    /// server answered, the list also contains the names that the route's mock can have.
    var mocks: [MockName] {
        let name = MockName(rawValue: name)
        // If the name of an enum case cannot be determined, the enum case has no mock.
        return isMocked ? [name] : [name] + ((try? record.route.mockNames) ?? [])
    }

    /// The problem if the call decodes a type other than the type that its route declares; nil if there is no such
    /// problem. A call that returns or ignores the body decodes no type. An optional type counts as its wrapped type,
    /// because the optional is nil only if the response has no body.
    fileprivate var misfit: String? {
        guard let decodedType, let declared = record.route.responseType,
            BodyForm.unwrapped(decodedType) != BodyForm.unwrapped(declared), BodyForm(decodedType) == .decoded
        else { return nil }
        return "\(route) declares the response type \(declared), but the call decodes \(decodedType); "
            + "correct the declaration, or the type that is decoded"
    }
}
