import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers calls from mocks, in place of the network transport. All other steps of a call are the same as for a call to
/// the network.
///
/// An answer set in code on the scope takes precedence. Otherwise the mock's file answers: the variant chosen in the
/// scope, or the default answer, each with its settings.
final class MockTransport: CallMocks {
    /// Finds the client's mocks folder. The folder is opened lazily, because answers set in code do not need it.
    private let folders: MockFolderCache
    /// The state of the mocks for calls without a scope.
    private let playback: MockPlayback
    let call: CallContext
    /// The environment whose network setting applies.
    private let sealing: Environment?
    #if DEBUG
        /// Lets another process change the mocks and see the call; nil for most calls.
        let control: ControlledCall?
    #endif

    init(
        in call: CallContext, sealedBy sealing: Environment?, _ folders: MockFolderCache, _ playback: MockPlayback
    ) {
        self.call = call
        self.sealing = sealing
        self.folders = folders
        self.playback = playback
        #if DEBUG
            // Only the app's own calls under a sealed environment are controlled.
            let isControlled = call.scope == nil && sealing?.isSealed == true
            control = isControlled ? ControlFolder.current.map(ControlledCall.init) : nil
        #endif
    }

    private var scope: APIScope? { call.scope }

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        try await reply(to: request, for: route).response(to: request)
    }

    func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
        let observer = sink as? any TransferObserver
        if let reader = observer?.reader {
            return try await flow(reply(to: request, for: route, isStreamed: true), to: request, sink, reader)
        }
        guard let observer, observer.isMeasured else {
            return try await reply(to: request, for: route).send(into: sink, for: request)
        }
        let reply = try await reply(to: request, for: route, inPiecesTo: observer)
        // A simulated failure of the connection comes in place of the response.
        if (try? reply.response(to: request)) == nil { try reply.send(into: sink, for: request) }
    }

    /// Returns the reply after its delay, and applies the reply's side effects.
    ///
    /// - Parameter observer: receives the bodies of the request and of the reply during the delay; nil if nobody
    ///   measures the progress of the call.
    /// - Parameter isStreamed: true if the body is sent later, at its pace.
    private func reply(
        to request: URLRequest, for route: Route, inPiecesTo observer: (any TransferObserver)? = nil,
        isStreamed: Bool = false
    ) async throws -> MockReply {
        do {
            let name = try existingName(of: route)
            call.record.asked(name)
            noteMock(name)
            // An answer set in code on the scope takes precedence over the mocks folder.
            let reply: MockReply
            if let (answer, id, owner) = scope?.answer(for: name) {
                owner.markAnswerUsed(name)
                reply = try await resolved(
                    answer, from: MockPlayback.Source(mock: name, place: [id]),
                    Asked(request: request, route: route, owner: owner, count: memory.count(name)))
            } else {
                reply = try filed(name, Asked(request: request, route: route))
            }
            if let observer {
                try await pass(reply, to: request, observer)
            } else if let delay = reply.delay {
                try await wait(delay)
            }
            if !isStreamed { try await waitForBody(of: reply) }
            for (other, variant) in reply.then { memory.use(variant, of: other) }
            if reply.failure != nil { call.record.intendFault() }
            return reply
        } catch let error as APIError {
            // A name that cannot be read is no missing mock.
            let isMissing = (try? answers(route)) == false
            let error = isMissing ? error.explained(by: sealing) : error
            // Log the error here, because middleware may catch it.
            call.record.refused(error, isMissing: isMissing)
            throw error
        }
    }

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

    /// What an answer depends on: the request, its route, and the position in sequences.
    struct Asked {
        let request: URLRequest
        let route: Route
        /// The playback that tracks the current position in each sequence of answers set in code.
        var owner: MockPlayback?
        /// How many times the mock was used, including this call; nil when this call has not been counted yet.
        var count: Int?
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
        if folder.hasMock(named: name.rawValue), let change = try change(of: name, in: folder, choices(of: name)),
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

    private var folder: MockFolder {
        get throws(APIError) {
            if let folder = try folders.folder(environment: call.environment, scope: scope) {
                return folder
            }
            throw folders.missing(call.environment, seal)
        }
    }

    var seal: Seal? { Seal(sealing, call) }

    private var memory: MockPlayback { scope?.memory ?? playback }

    private func choices(of name: MockName) -> MockPlayback.Choices {
        scope?.choices(of: name) ?? playback.choices(of: name)
    }

    private var chance: MockPlayback { scope?.chance ?? playback }

    func wait(_ delay: Duration) async throws {
        // Time that has already passed, for example in middleware or earlier attempts, counts toward the timeout.
        let rest = call.deadline.rest
        try await call.deadline.sleep(min(delay, call.idleTimeout ?? delay))
        if let idleTimeout = call.idleTimeout, delay > idleTimeout, idleTimeout < rest {
            throw APIError.idle(for: idleTimeout, afterBytes: nil)
        }
        if delay >= rest { throw APIError.noResponse(within: call.deadline.timeout) }
    }

    /// Passes the bodies of a request and of its reply in pieces during the reply's delay.
    private func pass(_ reply: MockReply, to request: URLRequest, _ observer: any TransferObserver) async throws {
        let response = try? reply.response(to: request)
        let pieces = MockPieces(of: request, and: response)
        let (delay, deadline) = (reply.delay ?? .zero, call.deadline)
        let isSpread = !pieces.isEmpty && delay < deadline.rest && delay <= call.idleTimeout ?? delay
        if !isSpread, let delay = reply.delay { try await wait(delay) }
        try await pieces.pass(response, to: observer, during: isSpread ? delay : .zero, deadline.sleep)
    }

    // MARK: Answers set in code

    private func resolved(
        _ answer: MockAnswer, from source: MockPlayback.Source, _ asked: Asked, isPart: Bool = false
    ) async throws -> MockReply {
        if isPart, answer.times != nil {
            throw APIError(
                .mock,
                "the answer set for the mock \(source) contains an answer with its own times(_:), which nobody counts",
                fix: "call times(_:) on the whole answer that Mocks.set receives")
        }
        var reply: MockReply
        switch answer.kind {
        case .status(let status):
            // A status set in code needs no mocks folder, so a missing folder is not an error here.
            reply = try self.reply(withStatus: status, of: source.mock, in: try? folder, asked)
        case .body(let data, let type, let status):
            reply = MockReply(status: status, headers: type.map { [.contentType: $0] } ?? [:], data: data)
        case .encoding(let encode, let status):
            reply = MockReply(
                status: status, headers: [.contentType: "application/json"], data: try encoded(encode, of: source))
        case .failure(let code):
            reply = MockReply(failure: .urlError(code.rawValue))
        case .variant(let name):
            reply = try filed(source.mock, variant: name, of: try folder, asked)
        case .file: reply = try filed(source.mock, asked)
        case .sequence(let answers, let after):
            let next = try claim(from: source, of: asked.owner, answers.count, after: after, "set in the test")
            let place = MockPlayback.Source(mock: source.mock, place: source.place + [next])
            reply = try await resolved(answers[next], from: place, asked, isPart: true)
        case .events(let events, let interval, let ending):
            reply = MockReply(headers: [.contentType: "text/event-stream"], data: try text(of: events, from: source))
            reply.flow = MockFlow(unit: .event, delay: interval, isOpen: ending == .open, count: events.count)
            reply.failure = ending == .lost ? .truncated : nil
        case .respond(let respond):
            reply = try await resolved(respond(asked.request), from: source, asked, isPart: true)
        }
        reply.headers.merge(try filled(answer.headers, of: source))
        reply.delay = answer.delay ?? reply.delay
        return reply
    }

    /// Replaces each `{env.<key>}` in headers that are set in code.
    private func filled(_ headers: HTTPHeaders, of source: MockPlayback.Source) throws(APIError) -> HTTPHeaders {
        if headers.isEmpty { return headers }
        let environment = EnvironmentValues(call.environment)
        var filled = HTTPHeaders()
        for field in headers {
            let place = "the answer set for the mock \(source)"
            filled.add(
                field.name, try environment.filled(header: field.name.rawValue, field.value, setIn: place))
        }
        return filled
    }

    private func encoded(_ encode: () throws -> Data, of source: MockPlayback.Source) throws(APIError) -> Data {
        do { return try encode() } catch {
            throw APIError(
                .mock,
                "the value set for the mock \(source) cannot be encoded as JSON: "
                    + EncodingError.text(of: error),
                fix: "correct its Encodable conformance, or set the bytes with .data", underlying: error)
        }
    }

    // MARK: Answers from the folder

    /// The mock's own answer: its chosen variant, or what the scenario says, or else its default answer.
    private func filed(_ name: MockName, _ asked: @autoclosure () -> Asked) throws(APIError) -> MockReply {
        let folder = try folder
        let choices = choices(of: name)
        if let change = try change(of: name, in: folder, choices) {
            return try changed(change, of: name, choices, in: folder, asked())
        }
        return try filed(name, choices, in: folder, asked())
    }

    /// The mock's own answer: its chosen variant, or else its default answer.
    func filed(
        _ name: MockName, _ choices: MockPlayback.Choices, in folder: MockFolder, _ asked: @autoclosure () -> Asked
    ) throws(APIError) -> MockReply {
        if let (choice, owner) = choices.variant, choice.isChosen { owner.markUsed(name) }
        var variant = choices.variant?.choice.variant
        if variant == nil { variant = try page(of: name, in: folder, asked()) }
        return try filed(name, variant: variant, of: folder, asked())
    }

    /// The variant for the query of the request; nil if there is none.
    private func page(
        of name: MockName, in folder: MockFolder, _ asked: @autoclosure () -> Asked
    ) throws(APIError) -> String? {
        do throws(MockFolder.Failure) {
            let pages = try folder.pages(of: name.rawValue)
            // Most mocks have none, so most calls are done here.
            if pages.isEmpty { return nil }
            let asked = asked()
            return pages.first { $0.route.matches(queryOf: asked.request) && $0.route.matches(path: asked.route.path) }?
                .variant
        } catch {
            throw APIError(mock: error, named: name.rawValue, variant: nil, of: asked().route, in: folder, seal)
        }
    }

    func filed(
        _ name: MockName, variant: String?, of folder: MockFolder, _ asked: @autoclosure () -> Asked
    ) throws(APIError) -> MockReply {
        noteVariant(variant)
        let found: MockFolder.Answer
        do throws(MockFolder.Failure) {
            found = try folder.answer(named: name.rawValue, variant: variant)
        } catch {
            throw APIError(mock: error, named: name.rawValue, variant: variant, of: asked().route, in: folder, seal)
        }
        let (mock, body) = (found.mock, found.body)
        let reply = MockReply(
            status: mock.status, headers: headers(of: body), data: body?.data ?? Data(), file: body?.file)
        // A mock without any settings file answers all calls alike.
        guard mock.isCounted else { return reply }
        let asked = asked()
        let count = asked.count ?? memory.count(name)
        guard let settings = mock.settings else { return reply }
        if let expected = settings.route { try settings.check(expected, asked.route, asked.request, folder) }
        return try set(try answer(of: mock, settings), of: mock, settings, in: folder, asked, count)
    }

    /// Builds the reply that a mock's settings describe.
    private func set(
        _ answer: MockAnswerSettings, of mock: ResolvedMock, _ settings: MockSettings, in folder: MockFolder,
        _ asked: Asked,
        _ count: Int
    ) throws(APIError) -> MockReply {
        let body = try body(answer.failure?.needsBody == false ? nil : answer.body ?? mock.file, in: folder)
        var reply = MockReply(
            status: answer.status ?? mock.status, headers: headers(of: body), data: body?.data ?? Data(),
            file: body?.file, delay: answer.delay.map { delay in chance.random { delay.duration(using: &$0) } },
            failure: answer.failure)
        let environment = EnvironmentValues(call.environment)
        let filler = MockFiller(
            mock: mock, settings: settings, request: asked.request, route: asked.route, environment: environment,
            chance: chance, now: { [call] in call.deadline.date }, count: count)
        var headers = HTTPHeaders()
        for (name, value) in answer.headers {
            headers.add(
                HTTPHeaders.Name(rawValue: name),
                try environment.filled(header: name, value, setIn: settings.path))
        }
        if let link = headers[.link], let url = asked.request.url { headers[.link] = LastPage.link(link, at: url) }
        reply.headers.merge(headers)
        reply.flow = MockFlow(answer, type: reply.headers[.contentType])
        if !answer.fill.isEmpty, answer.failure == nil {
            reply.data = try filler.fill(reply.data, answer.fill)
            reply.isFilled = true
        }
        reply.then = answer.then.map { (MockName(rawValue: $0.mock), $0.variant) }
        return reply
    }

    private func answer(of mock: ResolvedMock, _ settings: MockSettings) throws(APIError) -> MockAnswerSettings {
        guard !settings.sequence.isEmpty else { return settings.answer }
        let source = MockPlayback.Source(mock: MockName(rawValue: mock.name), variant: mock.variant)
        let index = try claim(
            from: source, of: memory, settings.sequence.count, after: settings.after, "of \(settings.path)")
        return settings.sequence[index]
    }

    private func claim(
        from source: MockPlayback.Source, of owner: MockPlayback?, _ count: Int, after: AfterSequence,
        _ place: String
    ) throws(APIError) -> Int {
        let (index, call) = (owner ?? memory).claim(from: source, count: count, after: after)
        guard let index else {
            let isSetByCode = !source.place.isEmpty
            throw APIError(
                .mock,
                "the sequence of the mock \(source), \(place), has \(count) answers, but this is call \(call)",
                fix: isSetByCode
                    ? "add an answer to it, or use .sequence(_:thenRepeating:)"
                    : "add an answer, or set \"after\": \"repeatLast\" if the app polls")
        }
        return index
    }

    private func body(_ file: String?, in folder: MockFolder) throws(APIError) -> MockFolder.Body? {
        guard let file else { return nil }
        do throws(MockFolder.Failure) { return try folder.body(file: file) } catch {
            throw APIError(mock: error, named: file, variant: nil, in: folder, seal)
        }
    }

    private func headers(of body: MockFolder.Body?) -> HTTPHeaders {
        body?.mediaType.map { [.contentType: $0.rawValue] } ?? [:]
    }
}
