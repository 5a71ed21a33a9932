import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers calls from mocks, in place of the network transport. All other steps of a call are the same as for a call to
/// the network. `AnswerResolver` finds the answer.
final class MockTransport: CallMocks {
    /// Finds the client's mocks folder. The folder is opened lazily, because answers set in code do not need it.
    private let folders: MockFolderCache
    /// The folder, or that there is none; nil until it is looked for.
    private let found = Locked<MockIndex??>(nil)
    /// What is chosen for the call.
    let chosen: ChosenMocks
    let call: CallContext
    /// The environment whose network setting applies.
    private let sealing: Environment?
    private let note: CallProblem
    /// Lets another process change the mocks and see the call.
    let control: DebugBuildControl

    init(
        in call: CallContext, sealedBy sealing: Environment?, _ folders: MockFolderCache, _ client: MockChoices
    ) {
        self.call = call
        self.sealing = sealing
        self.folders = folders
        chosen = ChosenMocks(in: call.scope, or: client)
        note = call.record.note as? CallProblem ?? CallProblem()
        control = DebugBuildControl(of: call, sealedBy: sealing, note)
    }

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        try await answer(to: request, for: route).response(to: request)
    }

    func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        let callSink = sink.ofCall
        if let pace = callSink?.pace {
            let answer = try await answer(to: request, for: route, isStreamed: true)
            return try await timing.flow(answer, to: request, into: sink, at: pace)
        }
        guard let callSink, callSink.isMeasured else {
            return try await answer(to: request, for: route).send(into: sink, for: request)
        }
        let answer = try await answer(to: request, for: route, inPiecesTo: callSink)
        // A simulated failure of the connection comes in place of the response.
        if (try? answer.response(to: request)) == nil { try answer.send(into: sink, for: request) }
    }

    /// Returns the answer after its delay, and applies its side effects.
    ///
    /// - Parameter observer: receives the bodies of the request and of the answer during the delay; nil if nobody
    ///   measures the progress of the call.
    /// - Parameter isStreamed: true if the body is sent later, at its pace.
    private func answer(
        to request: URLRequest, for route: Route, inPiecesTo observer: (any CallSink)? = nil,
        isStreamed: Bool = false
    ) async throws -> SentAnswer {
        do {
            let (name, chosenAnswer) = try existingMock(of: route)
            call.record.asked(name)
            control.note(mock: name)
            let answer = try await AnswerResolver(mocks: self, name: name, request: request, route: route)
                .answer(chosenAnswer)
            try await timing.delay(answer, to: request, inPiecesTo: observer)
            if !isStreamed { try await timing.waitForBody(of: answer) }
            for (other, variant) in answer.then { chosen.memory.switch(other, to: variant) }
            if answer.failure != nil { note.intendFault() }
            return answer
        } catch let error as APIError {
            // A name that cannot be read is no missing mock.
            let isMissing = (try? answers(route)) == false
            let error = isMissing ? error.explained(by: sealing) : error
            // Log the error here, because middleware may catch it.
            note.refused(error, of: call.record, isMissing: isMissing)
            throw error
        }
    }

    // MARK: Names

    /// The name of a mock, and the answer that is set for it in code.
    private typealias Mock = (name: MockName, answer: ChosenMocks.Answer?)

    /// The route's mock.
    ///
    /// - Throws: ``APIError`` if the route has no mock.
    private func existingMock(of route: Route) throws(APIError) -> Mock {
        if let mock = try mock(of: route) { return mock }
        // If the mocks folder is missing too, still report that the route has no mock.
        let isChangedCase = route.mock == nil && route.origin == nil
        throw APIError(
            .mock, "the route has no mock. \(seal.sentence)",
            fix: "set the route's mock to the name of a file in \((try? folder.newFiles) ?? MockIndex.name), "
                + "without .json"
                + (isChangedCase
                    ? "; if a router's case made the route, change the case and not its `route`: Tasks.list.header(…) "
                        + "instead of Tasks.list.route.header(…)" : ""))
    }

    /// The route's mock; nil if the route has none. If the router does not set the name, an answer set in code takes
    /// precedence over a file here too.
    private func mock(of route: Route) throws(APIError) -> Mock? {
        if let mock = route.mock { return mock.isUnmocked ? nil : (mock, chosen.answer(for: mock)) }
        let names = try route.mockNames
        for name in names {
            if let answer = chosen.answer(for: name) { return (name, answer) }
        }
        if names.count < 2 { return names.first.map { ($0, nil) } }
        let folder = try existingFolder
        return (names.first { folder?.hasMock(named: $0.rawValue) ?? false } ?? names.last).map { ($0, nil) }
    }

    var runsCode: Bool { chosen.runsCode }

    func isChosen(_ route: Route) -> Bool {
        // If the name of the mock cannot be read, the recorder reports it.
        (try? route.mockNames).map(chosen.haveChoice) ?? false
    }

    /// True when there is a mock for the route.
    ///
    /// - Throws: ``APIError`` for an invalid mock name, because no mock can have that name, and for a mock name that
    ///   cannot be read.
    func answers(_ route: Route) throws(APIError) -> Bool {
        guard let (name, answer) = try mock(of: route) else { return false }
        if answer != nil { return true }
        guard let folder = try existingFolder else { return false }
        if call.scope != nil, let variant = chosen.latest(of: name).variant?.choice.name,
            folder.variants(of: name.rawValue).contains(variant)
        {
            return true
        }
        // A call reports scenarios that cannot be read.
        if folder.hasMock(named: name.rawValue),
            let change = try change(of: name, chosen.latest(of: name), in: folder),
            change.variant != nil || change.status != nil || change.failure?.isBeforeAnswer == true
        {
            return true
        }
        if let objection = MockFileName.objection(to: name.rawValue) {
            throw APIError(
                mock: .malformedName(objection: objection), named: name.rawValue, variant: nil, in: folder, seal)
        }
        return folder.contains(name.rawValue)
    }

    /// The warning for a route whose mock does not exist. It contains the mock's name and a similar name that exists.
    func absence(for route: Route) -> String {
        // An error can be ignored here: `answers(_:)` has already thrown it.
        guard let name = (try? mock(of: route))?.name else { return "no mock" }
        // An error here can be ignored: if the folder cannot be read, `answers(_:)` has already thrown the error.
        let names = (try? folder)?.mockNames ?? []
        return "no mock \"\(name)\"" + NearestName.hint(name.rawValue, in: names)
    }

    // MARK: What the answer depends on

    var folder: MockIndex {
        get throws(APIError) {
            if let folder = try existingFolder { return folder }
            throw folders.missing(call.environment, seal)
        }
    }

    /// The folder; nil if there is none. Each call looks for it once.
    private var existingFolder: MockIndex? {
        get throws(APIError) {
            if let known = found.withLock({ $0 }) { return known }
            let folder = try folders.folder(environment: call.environment, scope: call.scope)
            found.withLock { $0 = .some(folder) }
            return folder
        }
    }

    /// What a scenario and another process change in the answer of a mock; nil if nothing.
    func change(
        of name: MockName, _ choices: MockChoices.Latest, in folder: MockIndex
    ) throws(APIError) -> StubResponse? {
        try ScenarioPrecedence(folder: folder).change(of: name, choices, control.order(for: folder))
    }

    var observer: (any CallObserver)? { control.observer }

    private var timing: AnswerTiming { AnswerTiming(call: call) }

    var seal: Seal? { Seal(sealing, call) }

    var chance: Chance { chosen.chance }
}
