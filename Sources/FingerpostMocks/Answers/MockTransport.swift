import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers calls from mocks, in place of the network transport. All other steps of a call are the same as for a call to
/// the network. `AnswerResolver` finds the answer.
final class MockTransport: CallMocks {
    /// Finds the client's mocks folder. The folder is opened lazily, because answers set in code do not need it.
    private let folders: MockFolderCache
    /// What is chosen for calls without a scope.
    private let choices: MockChoices
    let call: CallContext
    /// The environment whose network setting applies.
    private let sealing: Environment?
    #if DEBUG
        /// Lets another process change the mocks and see the call; nil for most calls.
        let control: ControlledCall?
    #endif

    init(
        in call: CallContext, sealedBy sealing: Environment?, _ folders: MockFolderCache, _ choices: MockChoices
    ) {
        self.call = call
        self.sealing = sealing
        self.folders = folders
        self.choices = choices
        #if DEBUG
            // Only the app's own calls under a sealed environment are controlled.
            let isControlled = call.scope == nil && sealing?.isSealed == true
            control = isControlled ? ControlFolder.current.map(ControlledCall.init) : nil
        #endif
    }

    var scope: APIScope? { call.scope }

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
            let name = try existingName(of: route)
            call.record.asked(name)
            noteMock(name)
            let answer = try await AnswerResolver(mocks: self, name: name, request: request, route: route).answer()
            try await timing.delay(answer, to: request, inPiecesTo: observer)
            if !isStreamed { try await timing.waitForBody(of: answer) }
            for (other, variant) in answer.then { memory.switch(other, to: variant) }
            if answer.failure != nil { call.record.intendFault() }
            return answer
        } catch let error as APIError {
            // A name that cannot be read is no missing mock.
            let isMissing = (try? answers(route)) == false
            let error = isMissing ? error.explained(by: sealing) : error
            // Log the error here, because middleware may catch it.
            call.record.refused(error, isMissing: isMissing)
            throw error
        }
    }

    // MARK: Names

    /// The name of the route's mock.
    ///
    /// - Throws: ``APIError`` if the route has no mock.
    private func existingName(of route: Route) throws(APIError) -> MockName {
        if let name = try name(of: route) { return name }
        // If the mocks folder is missing too, still report that the route has no mock.
        let isChangedCase = route.mock == nil && route.origin == nil
        throw APIError(
            .mock, "the route has no mock. \(seal.sentence)",
            fix: "set the route's mock to the name of a file in \((try? folder.newFiles) ?? MockFolder.name), "
                + "without .json"
                + (isChangedCase
                    ? "; if a router's case made the route, change the case and not its `route`: Tasks.list.header(…) "
                        + "instead of Tasks.list.route.header(…)" : ""))
    }

    /// The name of the route's mock; nil if the route has no mock. If the router does not set the name, an answer set
    /// in code takes precedence over a file here too.
    private func name(of route: Route) throws(APIError) -> MockName? {
        if let mock = route.mock { return mock.isUnmocked ? nil : mock }
        let names = try route.mockNames
        if names.count < 2 { return names.first }
        if let name = names.first(where: { scope?.answer(for: $0) != nil }) { return name }
        let folder = try folders.folder(environment: call.environment, scope: scope)
        return names.first { folder?.hasMock(named: $0.rawValue) ?? false } ?? names.last
    }

    /// True when there is a mock for the route.
    ///
    /// - Throws: ``APIError`` for an invalid mock name, because no mock can have that name, and for a mock name that
    ///   cannot be read.
    func answers(_ route: Route) throws(APIError) -> Bool {
        guard let name = try name(of: route) else { return false }
        if scope?.answer(for: name) != nil { return true }
        guard let folder = try folders.folder(environment: call.environment, scope: scope) else {
            return false
        }
        if let variant = scope?.variant(of: name), folder.variants(of: name.rawValue).contains(variant) { return true }
        // A call reports scenarios that cannot be read.
        if folder.hasMock(named: name.rawValue),
            let change = try folder.change(of: name, latestChoices(of: name), order(for: folder)),
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
        guard let name = try? name(of: route) else { return "no mock" }
        // An error here can be ignored: if the folder cannot be read, `answers(_:)` has already thrown the error.
        let names = (try? folder)?.mockNames ?? []
        return "no mock \"\(name)\"" + NearestName.hint(name.rawValue, in: names)
    }

    // MARK: What the answer depends on

    var folder: MockFolder {
        get throws(APIError) {
            if let folder = try folders.folder(environment: call.environment, scope: scope) {
                return folder
            }
            throw folders.missing(call.environment, seal)
        }
    }

    private var timing: AnswerTiming { AnswerTiming(call: call) }

    var seal: Seal? { Seal(sealing, call) }

    /// Where positions in sequences, counts and switched variants belong.
    var memory: MockChoices { scope?.memory ?? choices }

    /// What was chosen last for a mock.
    func latestChoices(of name: MockName) -> MockChoices.Latest {
        scope?.latestChoices(of: name) ?? choices.latest(of: name)
    }

    var chance: Chance { scope?.chance ?? choices.chance }
}

/// What another process changes and sees: see `ControlFolder`. A release build contains nothing of it.
extension MockTransport {
    var observer: (any CallObserver)? {
        #if DEBUG
            control
        #else
            nil
        #endif
    }

    /// What another process has set; nil if none controls the call.
    ///
    /// - Throws: ``APIError`` if it is invalid.
    func order(for folder: MockFolder) throws(APIError) -> ControlOrder? {
        #if DEBUG
            try control?.order(for: folder)
        #else
            nil
        #endif
    }

    /// Notes which mock answers.
    func noteMock(_ name: MockName) {
        #if DEBUG
            control?.answer.withLock { $0.mock = name.rawValue.mockName }
        #endif
    }

    /// Notes which variant answers.
    func noteVariant(_ variant: String?) {
        #if DEBUG
            control?.answer.withLock { $0.variant = variant }
        #endif
    }
}
