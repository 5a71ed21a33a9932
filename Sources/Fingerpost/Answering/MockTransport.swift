import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers from the mock that the route names. It stands where ``URLSessionTransport`` stands and nothing else changes.
///
/// What code set in the scope comes first, then the variant that the scope has, then the settings of the mock, then its body.
struct MockTransport: Transport {
    /// The client's folder, opened when it is needed: answers that code set need none.
    let mocks: MockFolderCache
    /// The folder that the client was given.
    let given: URL?
    /// What mocks remember where there is no scope.
    let playback: MockPlayback
    let environment: Environment?
    let scope: APIScope?
    /// The time for the call: a longer delay ends it.
    let timeout: Duration
    let entry: CallEntry?

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        do { return try await answer(request, for: route) } catch let error as APIError {
            // Told here, as middleware may go on without the answer.
            entry?.refuse(error)
            throw error
        }
    }

    private func answer(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        guard let name = route.mock else {
            // The error is about the route, so it does not matter here that the folder may be missing too.
            throw APIError(
                .mock, "the route names no mock, and the environment is sealed",
                fix:
                    "give the route a mock: the name of a file in \((try? folder.path) ?? MockFolder.name), without .json"
            )
        }
        let reply: MockReply
        if let (answer, id, owner) = scope?.answer(for: name) {
            let source = MockPlayback.Source(mock: name, place: [id])
            let count = memory.count(name)
            reply = try await self.reply(answer, to: request, for: route, source: source, of: owner, count)
        } else {
            let variant = scope.map { $0.takeVariant(of: name) } ?? playback.variant(of: name)?.variant
            let folder = try folder
            reply = try self.reply(name, variant: variant, of: folder, to: request, for: route)
        }
        if let delay = reply.delay { try await wait(delay) }
        for (other, variant) in reply.then { memory.use(variant, of: other) }
        if reply.failure != nil { entry?.intendFault() }
        return try reply.response(to: request, into: route.destination)
    }

    /// True when there is a mock for the route.
    ///
    /// - Throws: ``APIError`` for a name that cannot be one, as it never has a mock.
    func answers(_ route: Route) throws(APIError) -> Bool {
        guard let name = route.mock else { return false }
        if scope?.answer(for: name) != nil { return true }
        guard let folder = try mocks.folder(given: given, environment: environment, scope: scope) else { return false }
        if let variant = scope?.variant(of: name), folder.variants(of: name.rawValue).contains(variant) { return true }
        if let objection = MockFileName.objection(to: name.rawValue) {
            throw APIError(
                mock: .malformedName(objection: objection), named: name.rawValue, variant: nil, in: folder)
        }
        return folder.contains(name.rawValue)
    }

    /// What to say of a route that has no mock: which name it has, and which is near.
    func absence(for route: Route) -> String {
        guard let name = route.mock else { return "no mock" }
        // A folder that cannot be read has been told of already.
        let names = (try? folder)?.mockNames ?? []
        return "no mock \"\(name)\"" + NearestName.hint(name.rawValue, in: names)
    }

    /// False where code answers, which may take its time.
    func isImmediate(for route: Route) -> Bool {
        guard let scope, let mock = route.mock else { return true }
        return scope.answer(for: mock) == nil
    }

    private var folder: MockFolder {
        get throws(APIError) {
            if let folder = try mocks.folder(given: given, environment: environment, scope: scope) { return folder }
            throw mocks.missing(environment)
        }
    }

    private var memory: MockPlayback { scope?.memory ?? playback }

    private var chance: MockPlayback { scope?.chance ?? playback }

    private func wait(_ delay: Duration) async throws {
        guard let time = scope?.log.time else {
            try await Task.sleep(for: min(delay, timeout))
            if delay >= timeout { throw URLError(.timedOut) }
            return
        }
        // What middleware waited for already counts, in the time of the scope.
        let rest = timeout - (entry?.elapsed ?? .zero)
        try await time.sleep(max(.zero, min(delay, rest)))
        if delay >= rest { throw URLError(.timedOut) }
    }

    // MARK: Answers that code set

    private func reply(
        _ answer: MockAnswer, to request: URLRequest, for route: Route, source: MockPlayback.Source,
        of owner: MockPlayback, _ count: Int
    ) async throws -> MockReply {
        var reply: MockReply
        switch answer.kind {
        case .status(let status):
            reply = try self.reply(
                variant: "\(status)", ofMockThatMayHaveIt: source.mock, to: request, for: route, count)
            reply.status = status
        case .body(let data, let type, let status):
            reply = MockReply(status: status, headers: type.map { [.contentType: $0] } ?? [:], data: data)
        case .encoding(let encode, let status):
            reply = MockReply(
                status: status, headers: [.contentType: "application/json"], data: try encoded(encode, of: source))
        case .failure(let code):
            reply = MockReply(failure: .urlError(code.rawValue))
        case .variant(let name):
            let folder = try folder
            reply = try self.reply(source.mock, variant: name, of: folder, to: request, for: route, count)
        case .sequence(let answers, let after):
            let next = try claim(from: source, of: owner, answers.count, after: after, "set in the test")
            let place = MockPlayback.Source(mock: source.mock, place: source.place + [next])
            reply = try await self.reply(answers[next], to: request, for: route, source: place, of: owner, count)
        case .respond(let respond):
            reply = try await self.reply(respond(request), to: request, for: route, source: source, of: owner, count)
        }
        reply.headers.merge(answer.headers)
        reply.delay = answer.delay ?? reply.delay
        return reply
    }

    private func encoded(_ encode: () throws -> Data, of source: MockPlayback.Source) throws(APIError) -> Data {
        do { return try encode() } catch {
            throw APIError(
                .mock, "the value that is set for the mock \(source) cannot be written as JSON: \(error)",
                fix: "correct how it encodes, or set its bytes with .data", underlying: error)
        }
    }

    /// An empty answer where there is no such variant.
    private func reply(
        variant: String, ofMockThatMayHaveIt name: MockName, to request: URLRequest, for route: Route,
        _ count: Int
    ) throws(APIError) -> MockReply {
        // Where there is no folder, code can do without one.
        guard let folder = try? folder, folder.variants(of: name.rawValue).contains(variant) else {
            return MockReply()
        }
        return try reply(name, variant: variant, of: folder, to: request, for: route, count)
    }

    // MARK: Answers of the folder

    /// - Parameter count: how often the mock was asked; nil where this time is not counted yet.
    private func reply(
        _ name: MockName, variant: String?, of folder: MockFolder, to request: URLRequest, for route: Route,
        _ count: Int? = nil
    ) throws(APIError) -> MockReply {
        let mock: ResolvedMock
        let body: MockFolder.Body?
        do throws(MockFolder.Failure) {
            (mock, body) = try folder.answer(named: name.rawValue, variant: variant)
        } catch {
            throw APIError(mock: error, named: name.rawValue, variant: variant, in: folder)
        }
        let count = count ?? (mock.isCounted ? memory.count(name) : 0)
        guard let settings = mock.settings else {
            return MockReply(
                status: mock.status, headers: headers(of: body), data: body?.data ?? Data(), file: body?.file)
        }
        return try reply(mock, settings, count, of: folder, to: request, for: route)
    }

    /// The answer of a mock that has settings.
    private func reply(
        _ mock: ResolvedMock, _ settings: MockSettings, _ count: Int, of folder: MockFolder, to request: URLRequest,
        for route: Route
    ) throws(APIError) -> MockReply {
        if let expected = settings.route { try settings.check(expected, route, request) }
        let answer = try answer(of: mock, settings)
        let body = try body(answer.failure?.needsBody == false ? nil : answer.body ?? mock.file, in: folder)
        var reply = MockReply(
            status: answer.status ?? mock.status, headers: headers(of: body), data: body?.data ?? Data(),
            file: body?.file, delay: answer.delay.map(chance.duration), failure: answer.failure)
        var headers = HTTPHeaders()
        for (name, value) in answer.headers { headers.add(HTTPHeaders.Name(rawValue: name), value) }
        reply.headers.merge(headers)
        if !answer.fill.isEmpty, answer.failure == nil {
            let filler = MockFiller(
                mock: mock, settings: settings, request: request, route: route, environment: environment,
                chance: chance, time: scope?.log.time, count: count)
            reply.data = try filler.fill(reply.data, answer.fill)
            reply.isFilled = true
        }
        reply.then = answer.then.map { (MockName(rawValue: $0.mock), $0.variant) }
        return reply
    }

    private func answer(
        of mock: ResolvedMock, _ settings: MockSettings
    ) throws(APIError) -> MockAnswerSettings {
        guard !settings.sequence.isEmpty else { return settings.answer }
        let source = MockPlayback.Source(mock: MockName(rawValue: mock.name), variant: mock.variant)
        let index = try claim(
            from: source, of: memory, settings.sequence.count, after: settings.after, "of \(settings.path)")
        return settings.sequence[index]
    }

    private func claim(
        from source: MockPlayback.Source, of owner: MockPlayback, _ count: Int, after: MockSettings.After,
        _ place: String
    ) throws(APIError) -> Int {
        let (index, call) = owner.claim(from: source, count: count, after: after)
        guard let index else {
            let isSetByCode = !source.place.isEmpty
            throw APIError(
                .mock,
                "the sequence of the mock \(source), \(place), has \(count) answers, and this is call \(call)",
                fix: isSetByCode
                    ? "add an answer to it, or give it .sequence(_:thenRepeating:)"
                    : "add an answer, or \"after\": \"repeatLast\" where it is asked for again and again")
        }
        return index
    }

    private func body(_ file: String?, in folder: MockFolder) throws(APIError) -> MockFolder.Body? {
        guard let file else { return nil }
        do throws(MockFolder.Failure) { return try folder.body(file: file) } catch {
            throw APIError(mock: error, named: file, variant: nil, in: folder)
        }
    }

    private func headers(of body: MockFolder.Body?) -> HTTPHeaders {
        body.flatMap { MediaType(fileExtension: $0.type) }.map { [.contentType: $0.rawValue] } ?? [:]
    }
}
