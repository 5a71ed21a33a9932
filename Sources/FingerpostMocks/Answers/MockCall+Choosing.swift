import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Decides which response answers a request. ``MockOverrides`` documents the order.
extension MockCall {
    /// The choices that replace a mock's file.
    struct Choice {
        /// The changes that another process or a scenario makes to the response. Nil if neither makes a change.
        var response: StubResponse?
        /// The chosen variant. The variant's file answers if `response` names no variant.
        var variant: (name: String, isChosen: Bool, scope: MockOverrides)?
        /// The scope of the scenario.
        var scenario: MockOverrides?

        /// Adds an older choice. Newer choices take precedence.
        mutating func add(_ older: StubResponse?) {
            guard let older else { return }
            response = response?.replacing(older) ?? older
        }
    }

    /// A request of the call, and the mock that answers the request.
    struct Question {
        let request: URLRequest
        let mock: Mock
    }

    func response(to question: Question) async throws -> StubResponse {
        guard let code = question.mock.code, case .response(let response) = code.choice else {
            return try filed(question)
        }
        let source = MockCursor.Source(mock: question.mock.name, place: [code.number])
        return try await made(response, Place(source: source, scope: code.scope), question)
    }

    // MARK: Files

    /// Returns the response of the mock's files, after the choices have replaced some of its properties.
    private func filed(_ question: Question) throws(APIError) -> StubResponse {
        let found = try found(question.mock)
        let choice = try choice(for: question.mock.name, found)
        guard let response = choice.response else { return try usual(choice, found, question) }
        if response.times != nil { choice.scenario?.markScenarioUsed(question.mock.name) }
        // A change to every mock applies only to mocks that have files.
        if found.stub.exists {
            if response.failure?.isBeforeResponse == true { return response }
            if let variant = response.variant { return response.over(try file(variant, found, question)) }
            if let status = response.status { return response.over(try file(of: status, found, question)) }
        }
        return response.over(try usual(choice, found, question))
    }

    /// Returns the response of the chosen variant. If no variant is chosen, returns the response of the variant for the
    /// request's query, or else the default response.
    private func usual(_ choice: Choice, _ found: Found, _ question: Question) throws(APIError) -> StubResponse {
        guard let variant = choice.variant else {
            return try file(found.stub.variants.isEmpty ? nil : page(of: found, question), found, question)
        }
        if variant.isChosen { variant.scope.markUsed(MockName(rawValue: found.stub.name)) }
        return try file(variant.name, found, question)
    }

    /// Returns the choices that replace a mock's file.
    func choice(for name: MockName, _ found: Found) throws(APIError) -> Choice {
        let order = try control.order(for: found.index)
        let overrides = MockOverrides.newestFirst(for: name, in: scopes)
        var choice = Choice()
        if order == nil, overrides.isEmpty { return choice }
        let mock = name.rawValue.mockName
        func change(by scenario: MockScenario) throws(APIError) -> StubResponse? {
            try found.index.changes(of: scenario).change(of: mock, in: found.index)
        }
        if let order {
            choice.response = order.changes?.change(of: mock, in: found.index)
            if let scenario = order.scenario { choice.add(try change(by: scenario)) }
        }
        var hasScenario = order?.scenario != nil
        for override in overrides {
            switch override.choice {
            case .variant(let name, let isChosen) where choice.variant == nil:
                choice.variant = (name, isChosen, override.scope)
            case .scenario(let scenario) where !hasScenario:
                (hasScenario, choice.scenario) = (true, override.scope)
                let change = try change(by: scenario)
                // If a newer variant is chosen, only the scenario's delay applies.
                choice.add(choice.variant == nil ? change : change?.delayAlone)
            default: continue
            }
        }
        return choice
    }

    /// Returns the response of the variant that is named after a status, or an empty response if there is no such
    /// variant.
    private func file(of status: Int, _ found: Found, _ question: Question) throws(APIError) -> StubResponse {
        let variant = "\(status)"
        return found.stub[variant] == nil ? StubResponse() : try file(variant, found, question)
    }

    /// Returns the variant for the request's query, or nil if there is no such variant.
    private func page(of found: Found, _ question: Question) throws(APIError) -> String? {
        do throws(MockIndex.Failure) {
            return try found.index.page(of: found.stub, for: question.request, of: call.record.route)
        } catch {
            throw APIError(
                mock: error, named: found.stub.name, variant: nil, of: call.record.route, in: found.index, seal)
        }
    }

    /// Returns the response of a variant's files. If `variant` is nil, returns the default response.
    private func file(_ variant: String?, _ found: Found, _ question: Question) throws(APIError) -> StubResponse {
        let (stub, index) = found
        control.note(variant: variant)
        let definition: StubDefinition
        do throws(MockIndex.Failure) {
            definition = try index.definition(of: stub, variant: variant)
            // Settings may name another body file.
            if definition.settings == nil { return try index.whole(definition) }
        } catch {
            throw APIError(mock: error, named: stub.name, variant: variant, of: call.record.route, in: index, seal)
        }
        guard let settings = definition.settings else { return definition.named }
        if let expected = settings.route { try settings.check(expected, call.record.route, question.request, index) }
        var response = try next(of: definition, settings).inheriting(definition.named)
        if let file = response.body {
            do throws(MockIndex.Failure) { response.data = try index.body(file: file) } catch {
                throw APIError(mock: error, named: file, variant: nil, in: index, seal)
            }
        }
        do { try HeaderPlaceholders(environment: call.record.environment).fill(&response.headers) } catch {
            throw APIError(error, setIn: settings.path)
        }
        if let url = question.request.url { LastPage.cut(&response.headers, at: url) }
        return response
    }

    /// Returns the response that the settings contain for this call.
    private func next(of definition: StubDefinition, _ settings: MockSettings) throws(APIError) -> StubResponse {
        if settings.sequence.isEmpty { return settings.response }
        let source = MockCursor.Source(mock: MockName(rawValue: definition.name), variant: definition.variant)
        let count = settings.sequence.count
        let position = memory.claim(source, count: count, after: settings.after)
        guard let next = settings.after.index(of: position, count: count) else {
            throw APIError(
                endOf: source, "of \(settings.path)", count, call: position + 1,
                fix: "add an answer, or set \"after\": \"repeatLast\" if the app polls")
        }
        return settings.sequence[next]
    }

    // MARK: Code

    /// Identifies a response set in code, and the scope that counts how often calls use this response.
    private struct Place {
        let source: MockCursor.Source
        let scope: MockOverrides
        /// True if another response contains this response, for example as an element of a sequence.
        var isPart: Bool { source.place.count > 1 }

        func part(_ number: Int64) -> Place {
            var part = source
            part.place.append(number)
            return Place(source: part, scope: scope)
        }
    }

    private func made(_ code: MockResponse, _ place: Place, _ question: Question) async throws -> StubResponse {
        let source = place.source
        if place.isPart, code.stub.times != nil {
            throw APIError(
                .mock,
                "the answer set for the mock \(source) contains an answer with its own times(_:), which nobody counts",
                fix: "call times(_:) on the whole answer that Mocks.set receives")
        }
        if code.hasUnreachable {
            throw APIError(
                .mock,
                "the answer set for the mock \(source) has an answer after a sequence that repeats its last answer, which "
                    + "no call can get",
                fix: "move the sequence that repeats to the end, or remove what follows it")
        }
        // Uses are counted for the response that the test itself has set. For a response inside that response, uses are
        // counted only if the inner response is a sequence.
        let isCounted = !place.isPart || code.sequence != nil
        let position = isCounted ? place.scope.claim(source, count: code.sequence?.count, after: code.after) : 0
        let below = try await below(code, at: position, place, question)
        var response = try StubResponse(code, of: source)
        do {
            try response.check()
            try HeaderPlaceholders(environment: call.record.environment).fill(&response.headers)
        } catch {
            throw APIError(error, setIn: "the answer set for the mock \(source)")
        }
        return response.over(below)
    }

    /// Returns the response that completes a response set in code: it provides the properties that the code does not
    /// set.
    ///
    /// - Parameter position: the number of earlier calls, for a sequence.
    private func below(
        _ code: MockResponse, at position: Int, _ place: Place, _ question: Question
    ) async throws -> StubResponse {
        if let sequence = code.sequence {
            guard let next = code.after.index(of: position, count: sequence.count) else {
                throw APIError(
                    endOf: place.source, "set in the test", sequence.count, call: position + 1,
                    fix: "add an answer to it, or use .sequence(_:thenRepeating:)")
            }
            return try await made(sequence[next], place.part(Int64(next)), question)
        }
        if let respond = code.respond {
            // If the closure returns a sequence, the position in this sequence is counted separately from the calls of
            // the closure.
            return try await made(respond(question.request), place.part(-1), question)
        }
        if code.body != nil || code.events != nil || code.stub.failure != nil { return StubResponse() }
        if let status = code.stub.status {
            // A status needs no mocks folder, so a missing folder is not an error here.
            guard let found = try? found(question.mock) else { return StubResponse() }
            return try file(of: status, found, question)
        }
        guard let variant = code.stub.variant else { return try filed(question) }
        return try file(variant, found(question.mock), question)
    }
}

extension StubResponse {
    /// A response with only the delay of this response.
    fileprivate var delayAlone: StubResponse {
        var response = StubResponse()
        response.delay = delay
        return response
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
    fileprivate init(endOf source: MockCursor.Source, _ place: String, _ count: Int, call: Int, fix: String) {
        self.init(
            .mock,
            "the sequence of the mock \(source), \(place), has "
                + (count == 0 ? "no answers" : "\(count.inWords("answer")), but this is call \(call) of it"),
            fix: fix)
    }
}
