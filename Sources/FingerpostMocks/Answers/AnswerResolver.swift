import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Finds what a mock answers to one request: what is written, as it is sent.
///
/// An answer set in code on the scope takes precedence. Otherwise files answer: those of the variant chosen in the
/// scope, or of the default answer, each with its settings. What a scenario or another process says changes the answer
/// of the files.
struct AnswerResolver {
    let mocks: MockTransport
    let name: MockName
    let request: URLRequest
    let route: Route
    /// The playback that tracks the current position in each sequence of answers set in code.
    private var owner: MockPlayback?

    init(mocks: MockTransport, name: MockName, request: URLRequest, route: Route) {
        (self.mocks, self.name, self.request, self.route) = (mocks, name, request, route)
    }

    /// - Parameter chosen: the answer set in code; nil if there is none.
    func answer(_ chosen: ChosenMocks.Answer?) async throws -> SentAnswer {
        guard let (answer, id, owner) = chosen else { return try filed() }
        owner.playback.markAnswerUsed(name)
        var resolver = self
        resolver.owner = owner.playback
        return try await resolver.resolved(answer, from: MockPlayback.Source(mock: name, place: [id]))
    }

    /// What is sent for a written answer.
    ///
    /// - Parameter base: what is sent where nothing is written.
    private func resolve(_ written: StubResponse, over base: SentAnswer) throws(FileProblem) -> SentAnswer {
        var sent = base
        sent.status = written.status ?? sent.status
        if let data = written.data { sent.take(data) }
        if !written.headers.isEmpty { sent.headers.merge(try headers(of: written)) }
        sent.failure = written.failure ?? sent.failure
        if let delay = written.delay { sent.delay = mocks.chance.random { delay.duration(using: &$0) } }
        // A body without a pace comes at once, unless its connection is lost on the way.
        if written.pace != nil || written.failure == .truncated {
            let isEvents = sent.headers[.contentType].map { MediaType(contentType: $0).rawValue } == "text/event-stream"
            sent.unit = written.pace?.unit ?? (isEvents ? .event : .line)
            sent.interval = written.pace?.interval ?? sent.interval
        }
        sent.isOpen = written.isOpen ?? sent.isOpen
        sent.count = written.after ?? sent.count
        sent.then = written.then?.map { (MockName(rawValue: $0.mock), $0.variant) } ?? sent.then
        return sent
    }

    /// The headers of an answer. Each `{env.<key>}` is replaced.
    private func headers(of written: StubResponse) throws(FileProblem) -> HTTPHeaders {
        let environment = HeaderPlaceholders(environment: mocks.call.environment)
        var headers = HTTPHeaders()
        for (name, value) in written.headers {
            let filled = try environment.filled(header: name, value)
            try StubResponse.checkLines(of: filled, inHeader: name)
            headers.add(HTTPHeaders.Name(rawValue: name), filled)
        }
        return headers
    }

    // MARK: Answers set in code

    private func resolved(
        _ answer: MockResponse, from source: MockPlayback.Source, isPart: Bool = false
    ) async throws -> SentAnswer {
        if isPart, answer.times != nil {
            throw APIError(
                .mock,
                "the answer set for the mock \(source) contains an answer with its own times(_:), which nobody counts",
                fix: "call times(_:) on the whole answer that Mocks.set receives")
        }
        if answer.hasUnreachable {
            throw APIError(
                .mock,
                "the answer set for the mock \(source) has an answer after a sequence that repeats its last answer, which "
                    + "no call can get",
                fix: "move the sequence that repeats to the end, or remove what follows it")
        }
        let base = try await base(of: answer, from: source)
        let written = try written(answer, from: source)
        do {
            try written.check()
            return try resolve(written, over: base)
        } catch {
            throw APIError(error, setIn: "the answer set for the mock \(source)")
        }
    }

    /// What is sent where an answer set in code says nothing.
    private func base(of answer: MockResponse, from source: MockPlayback.Source) async throws -> SentAnswer {
        if let sequence = answer.sequence {
            let next = try claim(from: source, sequence.count, after: answer.after, "set in the test")
            let place = MockPlayback.Source(mock: source.mock, place: source.place + [Int64(next)])
            return try await resolved(sequence[next], from: place, isPart: true)
        }
        if let respond = answer.respond { return try await resolved(respond(request), from: source, isPart: true) }
        if answer.body != nil || answer.stream != nil || answer.failure != nil { return SentAnswer() }
        // A status set in code needs no mocks folder, so a missing folder is not an error here.
        if let status = answer.status { return try filed(withStatus: status, in: try? mocks.folder) }
        if let variant = answer.variant { return try filed(variant, in: mocks.folder) }
        return try filed()
    }

    private func written(_ answer: MockResponse, from source: MockPlayback.Source) throws(APIError) -> StubResponse {
        var written = StubResponse()
        written.status = answer.status
        written.headers = answer.headers.map { ($0.name.rawValue, $0.value) }
        written.failure = answer.failure.map { .urlError($0.rawValue) }
        written.delay = answer.delay.map { .fixed($0) }
        if let body = answer.body { written.data = StubBody(data: try encoded(body, of: source), type: answer.type) }
        if let stream = answer.stream {
            written.data = StubBody(data: try text(of: stream.events, from: source), type: "text/event-stream")
            written.pace = MockPace(unit: .event, interval: stream.interval)
            written.isOpen = stream.ending == .open
            written.after = stream.events.count
            written.failure = stream.ending == .lost ? .truncated : nil
        }
        return written
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

    /// The events of a stream, as a server sends them.
    private func text(of events: [ServerSentEvent], from source: MockPlayback.Source) throws(APIError) -> Data {
        var data = Data()
        for event in events {
            guard let text = event.text else {
                throw APIError(
                    .mock, "an event set for the mock \(source) has a line break or NUL in its name or identifier",
                    fix: "remove it; only the data may have several lines")
            }
            data += Data(text.utf8)
        }
        return data
    }

    // MARK: Answers of files

    /// What the mock's files answer, with what a scenario or another process changes.
    private func filed() throws(APIError) -> SentAnswer {
        let (folder, choices) = (try mocks.folder, mocks.chosen.latest(of: name))
        guard let change = try mocks.change(of: name, choices, in: folder) else {
            return try filed(choices, in: folder)
        }
        if change.times != nil { choices.scenario?.owner.playback.markScenarioUsed(name) }
        let base = try base(of: change, choices, in: folder)
        do { return try resolve(change, over: base) } catch { throw APIError(error, setIn: folder.path) }
    }

    /// What is sent where a change says nothing.
    private func base(
        of change: StubResponse, _ choices: MockChoices.Latest, in folder: MockIndex
    ) throws(APIError) -> SentAnswer {
        // A change of every mock does not make a mock.
        if !folder.hasMock(named: name.rawValue.mockName) { return try filed(choices, in: folder) }
        if change.failure?.isBeforeAnswer == true { return SentAnswer() }
        if let variant = change.variant { return try filed(variant, in: folder) }
        if let status = change.status { return try filed(withStatus: status, in: folder) }
        return try filed(choices, in: folder)
    }

    /// The answer of the variant named after a status, if it exists.
    private func filed(withStatus status: Int, in folder: MockIndex?) throws(APIError) -> SentAnswer {
        guard let folder, folder.variants(of: name.rawValue).contains("\(status)") else { return SentAnswer() }
        return try filed("\(status)", in: folder)
    }

    /// The answer of the chosen variant, or else of the variant for the query of the request, or else the default one.
    private func filed(_ choices: MockChoices.Latest, in folder: MockIndex) throws(APIError) -> SentAnswer {
        guard let (choice, owner) = choices.variant else { return try filed(page(in: folder), in: folder) }
        if choice.isChosen { owner.playback.markUsed(name) }
        return try filed(choice.name, in: folder)
    }

    /// The variant for the query of the request; nil if there is none.
    private func page(in folder: MockIndex) throws(APIError) -> String? {
        do throws(MockIndex.Failure) {
            return try folder.pages(of: folder.stub(named: name.rawValue)).first {
                $0.route.matches(queryOf: request) && $0.route.matches(pathOf: route)
            }?.variant
        } catch {
            throw APIError(mock: error, named: name.rawValue, variant: nil, of: route, in: folder, mocks.seal)
        }
    }

    private func filed(_ variant: String?, in folder: MockIndex) throws(APIError) -> SentAnswer {
        mocks.control.note(variant: variant)
        let found: StubAnswer
        let usual: SentAnswer
        do throws(MockIndex.Failure) {
            found = try folder.mock(named: name.rawValue, variant: variant)
            // Settings may name another body.
            usual = SentAnswer(status: found.status, found.settings == nil ? try folder.body(of: found) : nil)
        } catch {
            throw APIError(mock: error, named: name.rawValue, variant: variant, of: route, in: folder, mocks.seal)
        }
        guard let settings = found.settings else { return usual }
        if let expected = settings.route { try settings.check(expected, route, request, folder) }
        return try filed(found, settings, in: folder)
    }

    /// The answer that a mock's settings describe.
    private func filed(
        _ found: StubAnswer, _ settings: MockSettings, in folder: MockIndex
    ) throws(APIError) -> SentAnswer {
        let written = try next(of: found, settings).over(found.named)
        let base = SentAnswer(try body(written.body, in: folder))
        var sent: SentAnswer
        do { sent = try resolve(written, over: base) } catch { throw APIError(error, setIn: settings.path) }
        if let link = sent.headers[.link], let url = request.url { sent.headers[.link] = LastPage.link(link, at: url) }
        return sent
    }

    /// The answer that settings contain for this call.
    private func next(of found: StubAnswer, _ settings: MockSettings) throws(APIError) -> StubResponse {
        guard !settings.sequence.isEmpty else { return settings.answer }
        let source = MockPlayback.Source(mock: MockName(rawValue: found.name), variant: found.variant)
        return settings.sequence[
            try claim(from: source, settings.sequence.count, after: settings.after, "of \(settings.path)")]
    }

    /// The next position in a sequence.
    private func claim(
        from source: MockPlayback.Source, _ count: Int, after: AfterSequence, _ place: String
    ) throws(APIError) -> Int {
        let isSetByCode = !source.place.isEmpty
        let playback = isSetByCode ? owner : nil
        let (index, call) = (playback ?? mocks.chosen.memory.playback).claim(from: source, count: count, after: after)
        guard let index else {
            throw APIError(
                .mock,
                "the sequence of the mock \(source), \(place), has "
                    + (count == 0 ? "no answers" : "\(count.inWords("answer")), but this is call \(call) of it"),
                fix: isSetByCode
                    ? "add an answer to it, or use .sequence(_:thenRepeating:)"
                    : "add an answer, or set \"after\": \"repeatLast\" if the app polls")
        }
        return index
    }

    private func body(_ file: String?, in folder: MockIndex) throws(APIError) -> StubBody? {
        guard let file else { return nil }
        do throws(MockIndex.Failure) { return try folder.body(file: file) } catch {
            throw APIError(mock: error, named: file, variant: nil, in: folder, mocks.seal)
        }
    }
}

extension APIError {
    /// Creates the error for a header of a mock.
    ///
    /// - Parameter place: where the header is set.
    fileprivate init(_ problem: FileProblem, setIn place: String) {
        self.init(.mock, "\(place): \(problem.message)", fix: problem.fix)
    }
}

/// Ends loops over the pages of a list that one mock answers.
enum LastPage {
    /// A `Link` header (RFC 8288) without a link to the next page that leads to the request itself. A mock gives this
    /// link to every page, so that it would lead from the last page to the same page for ever.
    ///
    /// - Returns: nil if no link is left.
    static func link(_ value: String, at url: URL) -> String? {
        guard let links = LinkHeader(value)?.links else { return value }
        let kept = links.filter { link in
            !link.isNext(at: url) || !isSame(URL(string: String(link.target), relativeTo: url), url)
        }
        if kept.count == links.count { return value }
        return kept.isEmpty ? nil : kept.map { String($0.text) }.joined(separator: ", ")
    }

    /// True for two URLs whose query items have at most another order.
    private static func isSame(_ target: URL?, _ url: URL) -> Bool {
        guard let target = target?.absoluteURL else { return false }
        let items = [target, url].map { url in
            Set(url.query(percentEncoded: true)?.parts(between: "&").map(String.init) ?? [])
        }
        return Origin(target) == Origin(url) && target.path(percentEncoded: true) == url.path(percentEncoded: true)
            && items[0] == items[1]
    }
}
