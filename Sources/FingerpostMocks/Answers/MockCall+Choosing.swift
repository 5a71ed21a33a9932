import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Decides what answers a request. ``MockOverrides`` has the order.
extension MockCall {
    /// What is chosen in place of a mock's file.
    struct Choice {
        /// What another process and a scenario say; nil if nothing.
        var response: StubResponse?
        /// The variant whose file answers if `response` names none.
        var variant: (name: String, isChosen: Bool, usage: MockUsage)?
        /// What calls used in the scope of the scenario.
        var scenario: MockUsage?

        /// Adds what an older choice says.
        mutating func add(_ older: StubResponse?) {
            guard let older else { return }
            response = response?.replacing(older) ?? older
        }
    }

    /// A request of a route.
    struct Question {
        let request: URLRequest
        let route: Route
    }

    func response(of mock: Mock, to request: URLRequest, for route: Route) async throws -> StubResponse {
        let question = Question(request: request, route: route)
        guard let code = mock.code, case .response(let response) = code.choice else { return try filed(mock, question) }
        let source = MockUsage.Source(mock: mock.name, place: [code.number])
        return try await made(response, Place(source: source, usage: code.usage), mock, question)
    }

    // MARK: Files

    /// What the mock's files answer, with what is chosen in their place.
    private func filed(_ mock: Mock, _ question: Question) throws(APIError) -> StubResponse {
        let stub: MockStub
        let index: MockIndex
        if let known = mock.stub {
            (stub, index) = known
        } else {
            index = try self.index
            stub = index.stub(named: mock.name.rawValue)
        }
        let choice = try choice(for: mock.name, stub, in: index)
        guard let response = choice.response else { return try usual(choice, stub, index, question) }
        if response.times != nil { choice.scenario?.markScenarioUsed(mock.name) }
        // What is said of every mock does not make a mock.
        if stub.exists {
            if response.failure?.isBeforeAnswer == true { return response }
            if let variant = response.variant { return response.over(try file(variant, of: stub, index, question)) }
            if let status = response.status { return response.over(try file(of: status, stub, index, question)) }
        }
        return response.over(try usual(choice, stub, index, question))
    }

    /// The answer of the chosen variant, or else of the variant for the query of the request, or else the default one.
    private func usual(
        _ choice: Choice, _ stub: MockStub, _ index: MockIndex, _ question: Question
    ) throws(APIError) -> StubResponse {
        guard let variant = choice.variant else {
            return try file(
                stub.files.variants.isEmpty ? nil : page(of: stub, index, question), of: stub, index, question)
        }
        if variant.isChosen { variant.usage.markUsed(MockName(rawValue: stub.name)) }
        return try file(variant.name, of: stub, index, question)
    }

    /// What is chosen for a mock in place of its file.
    func choice(for name: MockName, _ stub: MockStub, in index: MockIndex) throws(APIError) -> Choice {
        let order = try control.order(for: index)
        let overrides = MockOverrides.newestFirst(for: name, in: scopes)
        var choice = Choice()
        if order == nil, overrides.isEmpty { return choice }
        let mock = name.rawValue.mockName
        var hasScenario = false
        if let order {
            choice.response = order.changes.change(of: mock, in: index)
            if let scenario = order.scenario { choice.add(try change(of: mock, by: scenario, in: index)) }
            hasScenario = order.scenario != nil
        }
        for override in overrides {
            switch override.choice {
            case .variant(let name, let isChosen) where choice.variant == nil:
                choice.variant = (name, isChosen, override.usage)
            case .scenario(let scenario) where !hasScenario:
                (hasScenario, choice.scenario) = (true, override.usage)
                let change = try change(of: mock, by: scenario, in: index)
                // Under a newer variant, only the delay stays.
                choice.add(choice.variant == nil ? change : change?.delayAlone)
            default: continue
            }
        }
        return choice
    }

    /// What a scenario says of a mock.
    private func change(
        of mock: String, by scenario: MockScenario, in index: MockIndex
    ) throws(APIError) -> StubResponse? {
        let scenarios: MockScenarios
        do throws(InvalidFile) { scenarios = try index.scenarios() } catch { throw APIError(error.problems) }
        guard let changes = scenarios[scenario.rawValue] else {
            throw APIError(scenario: scenario, among: scenarios.names)
        }
        return changes.change(of: mock, in: index)
    }

    /// The answer of the variant named after a status; an empty one if there is none.
    private func file(
        of status: Int, _ stub: MockStub, _ index: MockIndex, _ question: Question
    ) throws(APIError) -> StubResponse {
        let variant = "\(status)"
        return stub.has(variant) ? try file(variant, of: stub, index, question) : StubResponse()
    }

    /// The variant for the query of the request; nil if there is none.
    private func page(of stub: MockStub, _ index: MockIndex, _ question: Question) throws(APIError) -> String? {
        do throws(MockIndex.Failure) {
            return try index.pages(of: stub).first {
                $0.route.matches(queryOf: question.request) && $0.route.matches(pathOf: question.route)
            }?.variant
        } catch {
            throw APIError(mock: error, named: stub.name, variant: nil, of: question.route, in: index, seal)
        }
    }

    /// The answer of a variant's files, or of the default ones.
    private func file(
        _ variant: String?, of stub: MockStub, _ index: MockIndex, _ question: Question
    ) throws(APIError) -> StubResponse {
        let route = question.route
        control.note(variant: variant)
        let found: StubAnswer
        do throws(MockIndex.Failure) {
            found = try index.answer(of: stub, variant: variant)
            // Settings may name another body.
            if found.settings == nil { return try index.whole(found) }
        } catch {
            throw APIError(mock: error, named: stub.name, variant: variant, of: route, in: index, seal)
        }
        guard let settings = found.settings else { return found.named }
        if let expected = settings.route { try settings.check(expected, route, question.request, index) }
        var response = try next(of: found, settings).inheriting(found.named)
        if let file = response.body {
            do throws(MockIndex.Failure) { response.data = try index.body(file: file) } catch {
                throw APIError(mock: error, named: file, variant: nil, in: index, seal)
            }
        }
        do { try fill(&response) } catch { throw APIError(error, setIn: settings.path) }
        if let url = question.request.url { LastPage.cut(&response.headers, at: url) }
        return response
    }

    /// The answer that settings contain for this call.
    private func next(
        of found: StubAnswer, _ settings: MockSettings
    ) throws(APIError) -> StubResponse {
        if settings.sequence.isEmpty { return settings.answer }
        let source = MockUsage.Source(mock: MockName(rawValue: found.name), variant: found.variant)
        let count = settings.sequence.count
        let position = memory.usage.claim(source, count: count, after: settings.after)
        guard let next = settings.after.index(of: position, count: count) else {
            throw APIError(
                endOf: source, "of \(settings.path)", count, call: position + 1,
                fix: "add an answer, or set \"after\": \"repeatLast\" if the app polls")
        }
        return settings.sequence[next]
    }

    /// Replaces each `{env.<key>}` in the headers.
    private func fill(_ response: inout StubResponse) throws(FileProblem) {
        let placeholders = HeaderPlaceholders(environment: call.environment)
        for place in response.headers.indices {
            let (name, value) = response.headers[place]
            response.headers[place].value = try placeholders.filled(header: name, value)
            try StubResponse.checkLines(of: response.headers[place].value, inHeader: name)
        }
    }

    // MARK: Answers set in code

    /// Where an answer set in code comes from, and what counts its uses.
    private struct Place {
        let source: MockUsage.Source
        let usage: MockUsage
        /// True for a part of another answer.
        var isPart: Bool { source.place.count > 1 }
    }

    private func made(
        _ answer: MockResponse, _ place: Place, _ mock: Mock, _ question: Question
    ) async throws -> StubResponse {
        let source = place.source
        if place.isPart, answer.times != nil {
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
        // The uses of a whole answer are counted; those of a part only if it is a sequence.
        let isCounted = !place.isPart || answer.sequence != nil
        let position = isCounted ? place.usage.claim(source, count: answer.sequence?.count, after: answer.after) : 0
        let below = try await below(answer, at: position, place, mock, question)
        var response = try StubResponse(answer, of: source)
        do {
            try response.check()
            try fill(&response)
        } catch {
            throw APIError(error, setIn: "the answer set for the mock \(source)")
        }
        return response.over(below)
    }

    /// What answers where an answer set in code says nothing.
    ///
    /// - Parameter position: how many calls came before, for a sequence.
    private func below(
        _ answer: MockResponse, at position: Int, _ place: Place, _ mock: Mock, _ question: Question
    ) async throws -> StubResponse {
        if let sequence = answer.sequence {
            guard let next = answer.after.index(of: position, count: sequence.count) else {
                throw APIError(
                    endOf: place.source, "set in the test", sequence.count, call: position + 1,
                    fix: "add an answer to it, or use .sequence(_:thenRepeating:)")
            }
            var inner = place.source
            inner.place.append(Int64(next))
            return try await made(sequence[next], Place(source: inner, usage: place.usage), mock, question)
        }
        if let respond = answer.respond {
            let made = try await respond(question.request)
            // A sequence that code makes has a position of its own, beside the uses of the code.
            var inner = place.source
            inner.place.append(-1)
            return try await self.made(made, Place(source: inner, usage: place.usage), mock, question)
        }
        if answer.body != nil || answer.stream != nil || answer.failure != nil { return StubResponse() }
        if let status = answer.status {
            // A status needs no mocks folder, so a missing folder is not an error here.
            guard let index = try? index else { return StubResponse() }
            return try file(of: status, index.stub(named: mock.name.rawValue), index, question)
        }
        guard let variant = answer.variant else { return try filed(mock, question) }
        let index = try index
        return try file(variant, of: index.stub(named: mock.name.rawValue), index, question)
    }
}

extension APIError {
    /// Creates the error for a header of a mock.
    ///
    /// - Parameter place: where the header is set.
    fileprivate init(_ problem: FileProblem, setIn place: String) {
        self.init(.mock, "\(place): \(problem.message)", fix: problem.fix)
    }

    /// Creates the error for a call after the end of a sequence.
    fileprivate init(endOf source: MockUsage.Source, _ place: String, _ count: Int, call: Int, fix: String) {
        self.init(
            .mock,
            "the sequence of the mock \(source), \(place), has "
                + (count == 0 ? "no answers" : "\(count.inWords("answer")), but this is call \(call) of it"),
            fix: fix)
    }
}
