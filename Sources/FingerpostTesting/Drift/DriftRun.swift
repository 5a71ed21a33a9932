import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

/// Compares a mocks folder with a server. This type implements ``MockDrift``.
struct DriftRun {
    /// A mock and the server's answers that are compared with the mock.
    private struct Comparison {
        /// The file of the mock's body.
        let file: String
        let mock: BodyReading
        /// The server's answer to each sample that names this mock, and the keys that the model read from that answer.
        var answers: [(data: Data, reading: ModelReading?)] = []
        /// Why answers of the server do not decode.
        var failures: [(type: String, cause: BodyReading.Failure)] = []
        /// The keys that models read from the mock's own body.
        var reading = ModelReading()
        /// True if at least one model decodes the mock's body.
        var hasModel = false

        /// The keys that models read from the mock's body or from an answer.
        var known: ModelReading {
            answers.compactMap(\.reading).reduce(into: reading) { known, reading in known.formUnion(reading) }
        }
        /// The failures without repetitions, because several samples can fail for the same cause.
        var distinctFailures: [(type: String, cause: BodyReading.Failure)] {
            var seen: Set<String> = []
            return failures.filter { seen.insert("\($0.type) \($0.cause)").inserted }
        }
    }

    let folder: MockIndex
    private let live: Environment
    private let client: APIClient
    /// The key of each problem is the path in the body.
    private(set) var rows: [MockFinding] = []
    /// The comparisons, keyed by mock name.
    private var comparisons: [ByteName: Comparison] = [:]
    private var notSent: [String] = []
    private var sent = 0
    /// The credentials in the requests and in the server's answers, which the report must not show.
    private var credentials: [String] = [] { didSet { known = nil } }
    /// Knows them; nil if it is not built yet.
    private var known: SecretRedactor?
    private let sentCredentials = SentCredentials()

    init(folder: MockIndex, live: Environment, configuration: APIClient.Configuration) throws {
        self.folder = folder
        self.live = live
        var configuration = configuration
        configuration.environment = live
        configuration.baseURL = nil
        client = try APIClient(configuration)
    }

    private func path(of mock: String) -> String {
        let file = comparisons[ByteName(mock)]?.file
        return FilePath.display(file.map(folder.url.appendingPathComponent) ?? folder.url)
    }

    // MARK: Sending

    /// Sends a sample. A sample whose method is neither GET nor HEAD is not sent, only listed in the report.
    ///
    /// - Throws: ``APIError`` if the name of the route's mock cannot be read.
    mutating func ask(_ route: Route, ignoring ignored: Set<String>) async throws {
        guard let name = try route.mockName(where: { folder.hasMock(named: $0.rawValue) })?.rawValue else { return }
        let key = ByteName(name)
        if MockFinding.isIgnored(name, ignored) { return }
        guard route.method == .get || route.method == .head else {
            notSent.append(SecretRedactor(live).shown("\(route.name) (\(route.method))"))
            return
        }
        guard open(name, of: route) else { return }
        sent += 1
        guard let response = await answer(to: route, name), isSearched(response, name) else { return }
        // The answer to a HEAD request has no body to compare.
        if route.method == .head { return }
        if comparisons[key] == nil, folder.contains(name) {
            add(.info, name, "", "the mock has no success body to compare with")
        }
        let answer = BodyReading(response, client.configuration)
        var reading: ModelReading?
        if let type = Self.model(of: route) {
            do throws(BodyReading.Failure) {
                reading = try answer.read(type, for: route)
            } catch {
                if comparisons[key] == nil { add(error, as: "\(type)", name) }
                comparisons[key]?.failures.append(("\(type)", error))
            }
        }
        // An optional type allows an answer without a body, and such an answer has no shape to compare.
        if response.data.isBlank, route.responseType is any ExpressibleByNilLiteral.Type { return }
        comparisons[key]?.answers.append((answer.data, reading))
    }

    /// Opens the mock of a route.
    ///
    /// - Returns: false if it cannot be read.
    private mutating func open(_ name: String, of route: Route) -> Bool {
        do throws(MockIndex.Failure) { try open(ByteName(name), of: route) } catch {
            guard case .noVariant(let variants) = error else {
                add(.error, name, "", "the mock cannot be read; run MockAudit for the reason", fix: nil)
                return false
            }
            add(
                .warning, name, "",
                "the mock has only the variants \(variants.map { "\"\($0)\"" }.joined(separator: ", ")), "
                    + "and no answer of its own to compare with",
                fix: "record it with MOCKS=record:\(live.name), add \(MockFileName.newFile(of: name)), or leave it out "
                    + "with options: .init(ignoring: [\"\(name)\"])")
        }
        return true
    }

    /// The server's answer to a route; nil if the call fails.
    private mutating func answer(to route: Route, _ name: String) async -> Response<Data>? {
        // A feed is asked for as `APIClient.events(_:)` does.
        let isFeed = comparisons[ByteName(name)]?.mock.stream?.isEvents == true && route.headers[.accept] == nil
        // An error is not compared with the answer of a success, also if the route accepts both.
        let asked = (isFeed ? route.header(.accept, "text/event-stream") : route).acceptedStatuses(.success)
        do {
            // The call runs in a separate scope; otherwise the mocks of the running test's scope would answer instead
            // of the server.
            return try await APIScope(environment: live, network: .live, observers: [sentCredentials]).run {
                // With the `Accept` of a call that reads the value.
                try await client.response(to: client.open(asked, decoding: asked.responseType ?? JSONValue.self))
            }
        } catch {
            let reason = (error as? APIError)?.message ?? "\(error)"
            add(.error, name, "", "\(route.name) fails: \(reason)", fix: nil)
            return nil
        }
    }

    /// Collects the credentials of an answer.
    ///
    /// - Returns: false if its body cannot be searched for them.
    private mutating func isSearched(_ response: Response<Data>, _ name: String) -> Bool {
        credentials += sentCredentials.taken() + Redaction.credentials(of: response.headers)
        credentials += CallCredentials.issued(in: response.data, response.headers[.contentType])
        if response.data.count <= Recording.largestSearched { return true }
        add(
            .warning, name, "",
            "the server's answer is not compared: its body of \(response.data.count) bytes is too large to be searched "
                + "for secrets", fix: nil)
        return false
    }

    /// The type of a route's response; nil also for one that accepts any JSON, and so says nothing about it.
    private static func model(of route: Route) -> (any (Decodable & Sendable).Type)? {
        route.responseType == JSONValue.self ? nil : route.responseType
    }

    private mutating func open(_ name: ByteName, of route: Route) throws(MockIndex.Failure) {
        if comparisons[name] == nil {
            let answers = try folder.mock(named: name.text).arrivingAnswers
            guard let answer = answers.first(where: \.isSuccess), let file = answer.body else { return }
            let mock = try BodyReading(of: answer, in: folder, client.configuration)
            comparisons[name] = Comparison(file: file, mock: mock)
        }
        guard let mock = comparisons[name]?.mock, let type = Self.model(of: route) else { return }
        // A mock that does not decode is not reported by MockDrift, because MockAudit reports such a mock.
        if let reading = try? mock.read(type, for: route) {
            comparisons[name]?.reading.formUnion(reading)
            comparisons[name]?.hasModel = true
        }
    }

    // MARK: Comparing

    mutating func compare() {
        if sent == 0 {
            add(
                .error, "", "", "no sample was sent, so nothing was compared",
                fix: "add a sample whose method is GET or HEAD, or leave the comparison out")
        }
        for (name, comparison) in comparisons.sorted(by: { $0.key.text < $1.key.text })
        where !comparison.answers.isEmpty {
            compare(name.text, comparison)
        }
    }

    private mutating func compare(_ name: String, _ comparison: Comparison) {
        let (known, failures) = (comparison.known, comparison.distinctFailures)
        let conversion = KeyConversion(client.configuration.decoder)
        let rule = { (path: BodyPath) -> Shape.Rule? in
            let path = conversion.convert(path)
            return known.anything.contains(path) ? .anything : known.dictionaries.contains(path) ? .dictionary : nil
        }
        // Only JSON has a shape, so mocks that are not JSON are not compared.
        guard let mocked = JSONReader.inspect(comparison.mock.data) else {
            for failure in failures { add(failure.cause, as: failure.type, name) }
            return
        }
        let answers = comparison.answers.compactMap { JSONReader.inspect($0.data) }
        guard answers.count == comparison.answers.count,
            let first = answers.first.map({ Shape($0, rule: rule) })
        else {
            for failure in failures { add(failure.cause, as: failure.type, name) }
            if failures.isEmpty { add(.error, name, "", "the server's answer is not JSON, but the mock is") }
            return
        }
        let found = answers.dropFirst().reduce(first) { $0.union(Shape($1, rule: rule)) }
        let decodes = comparison.hasModel && comparison.answers.allSatisfy { $0.reading != nil }
        let differences = Shape(mocked, rule: rule).differences(to: found)
        // A difference that keeps an answer from being decoded is told once, with the type that does not decode.
        func causes(_ failure: BodyReading.Failure, _ difference: Shape.Difference) -> Bool {
            switch difference.change {
            case .removed, .type: break
            case .added, .spelling: return false
            }
            guard var path = failure.path else { return false }
            if comparison.mock.stream != nil { path = BodyPath([.each] + path.parts) }
            if let key = failure.missingKey { path = path.appending(.key(key)) }
            return conversion.convert(path).collapsed(known.dictionaries) == conversion.convert(difference.path)
        }
        for failure in failures where !differences.contains(where: { causes(failure.cause, $0) }) {
            add(failure.cause, as: failure.type, name)
        }
        for difference in differences {
            let type = failures.first { causes($0.cause, difference) }?.type
            let isRequired = known.requirements[conversion.convert(difference.path)]
            let (severity, message) = Self.judge(
                difference.change, isRequired: isRequired, hasModel: comparison.hasModel, decodes: decodes)
            add(
                type == nil ? severity : .error, name, difference.path.description,
                message + (type.map { ", so the answer does not decode as \($0)" } ?? ""))
        }
    }

    /// - Parameters:
    ///   - isRequired: whether decoding fails if the field is absent; nil if no model reads the field.
    ///   - decodes: whether the models decode all of the server's answers.
    private static func judge(
        _ change: Shape.Change, isRequired: Bool?, hasModel: Bool, decodes: Bool
    ) -> (FileProblem.Severity, String) {
        switch change {
        case .added(let kinds):
            return (.info, "the server sends this field as \(kinds.text), and the mock does not contain it")
        case .removed:
            guard hasModel else { return (.warning, "the server does not send this field") }
            guard let isRequired else { return (.info, "the server does not send this field, and no model reads it") }
            return isRequired && !decodes
                ? (.error, "the server does not send this field, and the model requires it")
                : (.warning, "the server does not send this field, and the model does not require it")
        case .spelling(let key):
            let scalars = key.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return (.info, "the server spells the key \(scalars), which Swift considers equal")
        case .type(let old, let new):
            let text = "the server sends \(new.text), but the mock has \(old.text)"
            return hasModel && isRequired == nil ? (.warning, "\(text), and no model reads it") : (.error, text)
        }
    }

    /// Adds a line about an answer that does not decode.
    private mutating func add(_ failure: BodyReading.Failure, as type: String, _ mock: String) {
        add(
            .error, mock, failure.path?.description ?? "",
            "the server's answer does not decode as \(type): \(failure.reason)")
    }

    /// Adds a line about the server's answer.
    private mutating func add(_ severity: FileProblem.Severity, _ mock: String, _ place: String, _ message: String) {
        add(
            severity, mock, place, message,
            fix: "record it again with MOCKS=record:\(live.name), and correct the model")
    }

    private mutating func add(
        _ severity: FileProblem.Severity, _ mock: String, _ place: String, _ message: String, fix: String?
    ) {
        let redactor = known ?? SecretRedactor(live, credentials: credentials)
        known = redactor
        var problem = FileProblem(path: path(of: mock), message: redactor.shown(message), fix: fix).with(severity)
        if !place.isEmpty { problem.details.key = redactor.shown(place) }
        rows.append(MockFinding(.drift, mock: mock.isEmpty ? nil : mock, problem))
    }

    // MARK: Report

    var report: String {
        let sections = [FileProblem.Severity.error, .warning, .info].map { severity in
            (severity, rows: rows.filter { $0.problem.severity == severity })
        }
        let counts = sections.map { severity, rows in
            severity == .info ? "\(rows.count) info" : rows.count.inWords(severity.rawValue)
        }
        let samples = "\(sent.inWords("sample")) sent"
        let heading = "Drift from \(live.name): \(([samples] + counts).joined(separator: ", "))"
        let table = TextTable.lines(
            sections.flatMap(\.rows).map { row in
                [row.problem.severity.rawValue, row.mock ?? "", row.problem.key ?? "", row.message]
            })
        let left =
            notSent.isEmpty ? [] : ["  not sent, only GET and HEAD are: \(notSent.joined(separator: ", "))"]
        return ([heading] + table + left).joined(separator: "\n")
    }
}

/// Collects the credentials of calls.
private final class SentCredentials: CallObserver {
    private let found = Locked<[String]>([])

    func finished(_ call: LoggedCall) {
        let credentials = CallCredentials(call.record).found
        found.withLock { $0 += credentials }
    }

    func taken() -> [String] {
        found.withLock { found in
            defer { found = [] }
            return found
        }
    }
}

extension KeyConversion {
    /// Converts a path in the JSON text to the path that a model sees, with converted keys.
    fileprivate func convert(_ path: BodyPath) -> BodyPath {
        path.parts.reduce(BodyPath()) { converted, part in
            guard case .key(let key) = part else { return converted.appending(part) }
            return converted.appending(.key(convert(key, in: converted)))
        }
    }
}
