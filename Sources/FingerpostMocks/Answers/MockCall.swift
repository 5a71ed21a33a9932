import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Answers one call from mocks, in place of the network transport. All other steps are the same as for a call to the
/// network.
final class MockCall: CallMocks {
    /// Finds the client's mocks folder. The folder is opened lazily, because answers set in code do not need it.
    private let indexes: MockIndexCache
    /// The choices of the call's scope and the enclosing scopes, innermost first. Outside any scope, the client's
    /// choices.
    let scopes: [MockOverrides]
    /// Stores the positions in the sequences that mock files define, and the variants to which mocks were switched.
    let memory: MockOverrides
    let call: CallContext
    /// The environment whose network setting applies.
    private let sealing: Environment?
    private let note: CallProblem
    /// Lets another process change the mocks, and reports the call to that process.
    let control: DebugBuildControl

    init(
        in call: CallContext, sealedBy sealing: Environment?, _ indexes: MockIndexCache, _ client: MockOverrides
    ) {
        (self.call, self.sealing, self.indexes) = (call, sealing, indexes)
        (scopes, memory) = MockOverrides.chosen(in: call.scope, or: client)
        note = call.record.note as? CallProblem ?? CallProblem()
        control = DebugBuildControl(of: call, sealedBy: sealing, note)
    }

    var observer: (any CallObserver)? { control.observer }

    func send(_ request: URLRequest, for _: Route) async throws -> Response<Data> {
        try await delivery(to: request).response(to: request)
    }

    func send(_ request: URLRequest, for _: Route, into sink: any BodySink) async throws {
        let transfer = sink as? Transfer
        if let pace = transfer?.pace {
            let delivery = try await delivery(to: request, isStreamed: true)
            return try await flow(delivery, to: request, into: sink, at: pace)
        }
        guard let transfer, transfer.isMeasured else {
            return try await delivery(to: request).send(into: sink, for: request)
        }
        let delivery = try await delivery(to: request, inPiecesTo: transfer)
        // If the mock simulates a failed connection, this line throws the failure after the chunks have been passed.
        if (try? delivery.response(to: request)) == nil { try delivery.send(into: sink, for: request) }
    }

    /// Waits for the delay of the response, applies the response's side effects, and returns the response.
    ///
    /// - Parameters:
    ///   - transfer: receives the bodies of the request and of the response during the delay. Nil if the call does not
    ///     report its progress.
    ///   - isStreamed: true if the body is sent later, at its pace.
    private func delivery(
        to request: URLRequest, inPiecesTo transfer: Transfer? = nil, isStreamed: Bool = false
    ) async throws -> MockDelivery {
        do {
            guard let mock = try mock(of: call.record.route) else { throw noMock(of: call.record.route) }
            call.record.asked(mock.name)
            control.note(mock: mock.name)
            let stub = try await response(to: Question(request: request, mock: mock))
            try checkContent(of: stub, request, mock)
            let delay = stub.delay.map { written in
                call.scope.random(isLive: false) { written.duration(using: &$0) }
            }
            let delivery = MockDelivery(stub, delay)
            if let transfer {
                try await pass(delivery, to: request, transfer)
            } else if let delay {
                try await call.deadline.sleep(delay)
            }
            if delivery.takesTime, !isStreamed { try await waitForBody(of: delivery) }
            // A response switches variants only after it has arrived.
            for (other, variant) in delivery.stub.then ?? [] { memory.switch(MockName(rawValue: other), to: variant) }
            if delivery.failure != nil { note.intendFault() }
            return delivery
        } catch let error as APIError {
            // A mock whose name cannot be determined does not count as missing.
            let isMissing = (try? answers(call.record.route)) == false
            let error = isMissing ? error.explained(by: sealing) : error
            // Store the error here, because middleware may catch it.
            note.refused(error, of: call.record, isMissing: isMissing)
            throw error
        }
    }

    /// - Throws: an error if the response has a body, although its status forbids a body or the request's method is
    ///   HEAD.
    private func checkContent(of stub: StubResponse, _ request: URLRequest, _ mock: Mock) throws(APIError) {
        guard stub.failure == nil, let body = stub.data, !body.data.isEmpty else { return }
        let status = stub.status ?? 200
        let isHead = request.httpMethod == "HEAD"
        guard isHead || StubResponse.hasNoContent(status) else { return }
        throw APIError(
            .mock,
            "the mock \"\(mock.name)\" has a body, but \(isHead ? "a response to HEAD" : "\(status)") has no content",
            fix: isHead ? "remove the body" : "remove the body or the status")
    }

    // MARK: Names

    /// The mock of a route.
    struct Mock {
        let name: MockName
        /// The response set in code; nil if there is none.
        var code: MockOverride?
        /// The mock in the folder. Nil until the mock has been looked up.
        var found: Found?
    }

    typealias Found = (stub: MockStub, index: MockIndex)

    /// Returns the mock in the folder.
    func found(_ mock: Mock) throws(APIError) -> Found {
        if let found = mock.found { return found }
        let index = try index
        return (index.stub(named: mock.name.rawValue), index)
    }

    /// The error for a route without a mock. If the mocks folder is missing too, the error says that as well.
    private func noMock(of route: Route) -> APIError {
        let isChangedCase = route.mock == nil && route.origin == nil
        return APIError(
            .mock, "the route has no mock. \(seal)",
            fix: "set the route's mock to the name of a file in \((try? index.newFiles) ?? MockIndex.name), "
                + "without .json"
                + (isChangedCase
                    ? "; if a router's case made the route, change the case and not its `route`: Tasks.list.header(…) "
                        + "instead of Tasks.list.route.header(…)" : ""))
    }

    /// Returns the route's mock, or nil if the route has no mock. A response set in code for one of the mock's names
    /// takes precedence over a file.
    func mock(of route: Route) throws(APIError) -> Mock? {
        let names = try route.mockNames
        for name in names {
            for scope in scopes {
                if let code = scope.response(for: name) { return Mock(name: name, code: code) }
            }
        }
        guard let last = names.last else { return nil }
        guard names.count > 1, let index = try indexes.index(environment: call.record.environment, scope: call.scope)
        else {
            return Mock(name: last)
        }
        let stub = index.stub(named: names[0].rawValue, or: last.rawValue)
        let name = stub.name.isSame(as: last.rawValue) ? last : names[0]
        return Mock(name: name, found: (stub, index))
    }

    var runsCode: Bool {
        for scope in scopes where scope.runsCode { return true }
        return false
    }

    func isChosen(_ route: Route) -> Bool {
        // If the mock's name cannot be determined, the recorder reports the error.
        let names = (try? route.mockNames) ?? []
        return names.contains { name in
            scopes.contains { $0.response(for: name) != nil }
                || !MockOverrides.newestFirst(for: name, in: scopes).isEmpty
        }
    }

    /// Returns true if the route has a mock.
    ///
    /// - Throws: ``APIError`` for an invalid mock name, because no mock can have that name, and for a mock name that
    ///   cannot be read.
    func answers(_ route: Route) throws(APIError) -> Bool {
        guard let mock = try mock(of: route) else { return false }
        if mock.code != nil { return true }
        if mock.found == nil, try existingIndex == nil { return false }
        let (stub, index) = try found(mock)
        if stub.exists {
            let choice = try choice(for: mock.name, (stub, index))
            if call.scope != nil, let variant = choice.variant?.name, stub[variant] != nil { return true }
            if let response = choice.response,
                response.variant != nil || response.status != nil || response.failure?.isBeforeResponse == true
            {
                return true
            }
        }
        if !stub.exists, let objection = MockFileName.objection(to: stub.name) {
            throw APIError(
                mock: .malformedName(objection: objection), named: mock.name.rawValue, variant: nil, in: index, seal)
        }
        return stub.hasUsual
    }

    /// Returns the warning for a route without a mock. The warning contains the name that the mock should have, and a
    /// similar name that exists.
    func absence(for route: Route) -> String {
        // Errors are ignored here, because `answers(_:)` has already thrown them.
        guard let name = (try? mock(of: route))?.name else { return "no mock" }
        let names = (try? index)?.mockNames ?? []
        return "no mock \"\(name)\"" + NearestName.hint(name.rawValue, in: names)
    }

    // MARK: What the response depends on

    var index: MockIndex {
        get throws(APIError) {
            if let index = try existingIndex { return index }
            throw indexes.missing(call.record.environment, scope: call.scope, seal)
        }
    }

    /// The index of the folder. Nil if the folder does not exist.
    private var existingIndex: MockIndex? {
        get throws(APIError) { try indexes.index(environment: call.record.environment, scope: call.scope) }
    }

    /// The reason why the call is not sent, for messages. Mocks can answer even if nothing is sealed: under
    /// `mocksThenLive`, or if a test that records has set the response.
    var seal: String {
        if let sealing, sealing.isSealed {
            let place = call.record.environment == nil ? "The process's environment \(sealing.name)" : "The environment"
            return "\(place) is sealed, so nothing was sent"
        }
        return call.scope?.network == .sealed ? "The scope is sealed, so nothing was sent" : "Nothing was sent"
    }
}
