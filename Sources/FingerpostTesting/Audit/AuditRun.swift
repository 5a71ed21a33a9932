import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Audits a mocks folder. This type implements ``MockAudit``.
struct AuditRun {
    let folder: MockIndex
    private(set) var findings: [MockFinding] = []
    /// The environments beside the mocks, and their folder; nil if there is no folder of environments.
    let environments: Result<(folder: URL, all: [LayeredEnvironment])?, FileProblem>
    /// Finds the secrets of the environments beside the mocks.
    let scan: SecretScan

    /// The keys that models read from each body file. If several routes use a file, the file has one entry for each of
    /// these routes.
    private var readings: [ByteName: [(reading: ModelKeys, text: BodyText)]] = [:]
    /// The body files that were recorded. Servers send more keys than models read, so unread keys of recordings are not
    /// reported.
    private var recorded: Set<ByteName> = []
    /// The names of mocks that a finding already suggests to rename.
    var misnamed: Set<ByteName> = []
    /// True if a mock with a `for` entry may exist without a route. Such a mock answers the requests of sessions that
    /// belong to another client.
    var answersSessions = false

    /// A route, and the client that sends the route.
    struct Sample {
        let route: Route
        let client: APIClient
        /// True if the caller passed this client to the audit.
        let hasClient: Bool

        init(_ convertible: any RouteConvertible, _ client: APIClient?, or usual: APIClient) {
            route = Route.from(convertible)
            self.client = client ?? usual
            hasClient = client != nil
        }
    }

    init(folder: MockIndex) {
        self.folder = folder
        environments = Result { () throws(FileProblem) in
            guard let url = try EnvironmentFolder.url(besideMocksIn: folder.url) else { return nil }
            let files = try EnvironmentFolder(url: url)
            return (url, files.targets.sorted().map { files.load($0, parser: strictParser) })
        }
        scan = SecretScan(besideMocksIn: folder.url)
    }

    mutating func look(at samples: [Sample], _ catalogs: [any EndpointList]) {
        let sampled = samples.compactMap { sample in audited(sample).map { (audited: $0, sample: sample) } }
        let listed = catalogs.flatMap(\.mockedEndpoints).map(AuditedRoute.init)
        let all = sampled.map(\.audited) + listed
        let users = Dictionary(grouping: all) { ByteName($0.mock) }
        let names = Set(users.keys)

        lookForInvalidFiles()
        lookForShared(users)
        lookForSameCases(users)
        var mocks: [ByteName: [StubDefinition]] = [:]
        for name in names.sorted(by: { $0.text < $1.text }) {
            let usual = mock(named: name.text, of: users[name] ?? [], besides: names)
            let variants = folder.stub(named: name.text).variantNames.compactMap { mock(named: name.text, variant: $0) }
            mocks[name] = [usual].compactMap { $0 } + variants
            lookAtPages(of: name.text, mocks[name] ?? [])
        }
        lookForOrphans(besides: names, mocks.values.flatMap { $0 })
        for (route, sample) in sampled { lookAtBodies(of: mocks[ByteName(route.mock)] ?? [], route, sample) }
        for route in all { lookAtRequest(of: mocks[ByteName(route.mock)] ?? [], route) }
        lookForEnvironmentKeys(of: sampled.map(\.audited))
        lookForHeaderKeys(of: mocks)
        lookAtKeys()
        lookForSecrets()

        lookForUntyped(sampled.map(\.audited), mocks)
        lookForUnsentArguments(samples.map(\.route))
    }

    // MARK: Routes

    private mutating func audited(_ sample: Sample) -> AuditedRoute? {
        do throws(APIError) {
            return try AuditedRoute(sample.route, in: folder, by: sample.client)
        } catch {
            add(.missing, nil, "\(sample.route.name): \(error.message)", fix: error.fix)
            return nil
        }
    }

    /// Finds enum cases of different routers that share a mock only because the cases have the same name.
    private mutating func lookForSameCases(_ users: [ByteName: [AuditedRoute]]) {
        for (name, users) in users {
            let routers = Set(users.compactMap(\.router)).sorted { $0.qualifiedName < $1.qualifiedName }
            guard routers.count > 1 else { continue }
            let files = routers.map { "\($0.name)/\(MockFileName.newFile(of: name.text))" }
            let areDistinct = Set(files).count == files.count
            let cases = areDistinct ? Set(users.map(\.name)).sorted() : routers.map(\.qualifiedName)
            add(
                .shared, name.text,
                "the mock \"\(name.text)\" answers cases of several routers, because the cases have the same name: "
                    + cases.joined(separator: ", "),
                fix: areDistinct
                    ? "give each router its own mock: \(files.joined(separator: ", "))"
                    : "set `mock` in all of these routers but one")
        }
    }

    private mutating func lookForShared(_ users: [ByteName: [AuditedRoute]]) {
        for (name, users) in users {
            let types = Dictionary(
                users.compactMap { route in
                    route.responseType.map { (ObjectIdentifier($0), "\(route.name) as \($0)") }
                }, uniquingKeysWith: { first, _ in first })
            guard types.count > 1 else { continue }
            add(
                .shared, name.text,
                "routes with different response types share the mock \"\(name.text)\": "
                    + types.values.sorted().joined(separator: ", "),
                fix: "give each route its own mock", as: .warning)
        }
    }

    /// Finds routes that have a JSON mock but no response type. The most frequent cause is a property `responseType`
    /// that does not implement the protocol's requirement. Either the property has another type than the requirement,
    /// or an extension in another module declares the property. In both cases, the compiler uses the protocol's default
    /// implementation, which returns nil. A router that implements `route` itself has no property `responseType`.
    private mutating func lookForUntyped(_ routes: [AuditedRoute], _ mocks: [ByteName: [StubDefinition]]) {
        let isJSON = { (route: AuditedRoute) in
            mocks[ByteName(route.mock)]?.contains { $0.variant == nil && $0.file?.hasSuffix(".json") == true } ?? false
        }
        let untyped = Set(routes.filter { $0.responseType == nil && isJSON($0) }.map(\.typeProperty)).sorted()
        guard !untyped.isEmpty else { return }
        add(
            .untyped, nil,
            .warning(
                path: FilePath.display(folder.url),
                message: "mocks not decoded because their routes have no response type; the audit looked at "
                    + Self.list(untyped),
                fix: "add var responseType: (any (Decodable & Sendable).Type)? to the router itself (an extension in "
                    + "the test target is not seen), with exactly this type; or .answers(User.self) to the route of a "
                    + "RouteConvertible router; or silence the warning with options: .init(skipping: [.untyped])"))
    }

    // MARK: Bodies

    private mutating func lookAtBodies(of mocks: [StubDefinition], _ audited: AuditedRoute, _ sample: Sample) {
        for mock in mocks where mock.settings?.recorded != nil {
            recorded.formUnion(mock.arrivingAnswers.compactMap(\.body).map(ByteName.init))
        }
        for answer in answers(of: mocks).sorted(by: {
            ($0.body ?? "", $0.status ?? 0) < ($1.body ?? "", $1.status ?? 0)
        }) {
            let body: BodyReading
            do throws(MockIndex.Failure) {
                body = try BodyReading(of: answer, in: folder, sample.client.configuration)
            } catch {
                if case .unreadable(let problem) = error { add(.invalidFile, audited.mock, problem) }
                continue
            }
            do throws(BodyReading.Failure) {
                let reading = try body.read(
                    sample.route.responseType, orError: sample.client.configuration.errorResponse, for: sample.route)
                guard let reading, let file = answer.body, let text = body.text else { continue }
                readings[ByteName(file), default: []].append((reading, text))
            } catch {
                addUndecodable(error, body, answer, audited, sample)
            }
        }
    }

    private mutating func addUndecodable(
        _ failure: BodyReading.Failure, _ body: BodyReading, _ answer: StubResponse, _ audited: AuditedRoute,
        _ sample: Sample
    ) {
        let configuration = sample.client.configuration
        let file = path(answer.body ?? MockFileName(audited.mock, variant: answer.variant).settings.path)
        // The audit has already reported a .json body with invalid JSON as an invalid file.
        let isReported = findings.contains { $0.kind == .invalidFile && $0.isError && $0.file.isSame(as: file) }
        if failure.path == nil, isReported, body.stream == nil { return }
        let type =
            answer.isSuccess || sample.route.acceptedStatuses == .all
            ? audited.responseType.map { "\($0)" } : configuration.errorResponse.map { "\($0)" }
        let place = failure.path.map { $0.parts.isEmpty ? "" : " at \($0)" } ?? ""
        let message =
            "\(body.stream == nil ? "the body" : "this element of the stream") does not decode as "
            + "\(type ?? "the model"): \(failure.reason)\(place) (\(audited.name))"
        let hint =
            configuration.wrapper == nil && !sample.hasClient
            ? "; if the client has a wrapper or a decoder of its own, pass the client, as in run(…, client: client)"
            : ""
        add(
            .undecodable, audited.mock,
            FileProblem(
                path: file, line: failure.line,
                message: SecretRedactor(credentials: CallCredentials.issued(in: body.body, nil))
                    .redact(message),
                fix: body.body.isBlank && answer.isSuccess && type != nil
                    ? "write a body, or add ? to the response type: such a type reads an empty body as nil"
                    : "correct the body or the type" + hint))
    }

    /// Returns the responses whose bodies the audit decodes. A body file that the default settings name is not a
    /// variant, even if the file is named like a variant.
    private func answers(of mocks: [StubDefinition]) -> [StubResponse] {
        let usual = mocks.filter { $0.variant == nil }.flatMap(\.arrivingAnswers)
        let named = Set(usual.compactMap(\.body).map(ByteName.init))
        let variants = mocks.filter { $0.variant != nil }.flatMap(\.arrivingAnswers)
        return usual + variants.filter { answer in answer.body.map { !named.contains(ByteName($0)) } ?? true }
    }

    // MARK: Keys

    private mutating func lookAtKeys() {
        var whole = ModelKeys()
        for (file, readings) in readings {
            for (reading, _) in readings { whole.formUnion(reading) }
            guard let first = readings.first, !recorded.contains(file) else { continue }
            let keys = ModelKeys.unread(by: readings.map(\.reading))
            lookForUnread(keys, besides: first.reading.dictionaries, first.text, file.text)
        }
        let unread = Set(whole.unread.map(\.key)).sorted()
        // All instances of a generic type share one declaration, so they share one warning.
        let absent = Dictionary(grouping: whole.fields.filter { !$0.value }.keys) { field in
            field.isGeneric ? AnyHashable(field.declared) : AnyHashable(field.owner)
        }
        for fields in absent.values {
            let (keys, type) = (Set(fields.map(\.path.description)).sorted(), fields[0].declared)
            let hint = keys.count == 1 ? NearestName.hint(keys[0], in: unread.filter { $0 != keys[0] }) : ""
            add(
                .absentKeys, nil,
                "no mock contains \(Self.list(keys.map(\.quoted))) of \(type), so its decoding is untested" + hint,
                fix: "add it to a mock, or remove it from \(type)", as: .warning)
        }
    }

    private mutating func lookForUnread(
        _ unread: [ModelKeys.Unread], besides dictionaries: Set<BodyPath>, _ text: BodyText, _ file: String
    ) {
        var seen: Set<BodyPath> = []
        let keys = unread.compactMap { unread -> (path: BodyPath, line: Int?)? in
            let path = unread.object.appending(.key(text.key(unread.key, in: unread.object)))
            let place = path.collapsed(dictionaries)
            guard seen.insert(place).inserted else { return nil }
            return (place, text.line(of: unread.object.appending(.key(unread.key))))
        }
        guard !keys.isEmpty else { return }
        let names = keys.sorted { ($0.line ?? 0) < ($1.line ?? 0) }.map(\.path.description)
        add(
            .unreadKeys, MockFileName(ownMock: file).mock,
            .warning(
                path: path(file), line: keys.compactMap(\.line).min(),
                message: "no model reads \(Self.list(names.map(\.quoted)))",
                fix: "remove it from the mock, add it to the model, or silence the warning with options: "
                    + ".init(skipping: [.unreadKeys])"
            ))
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
    }

    // MARK: Reporting

    func path(_ file: String) -> String { FilePath.display(folder.url.appendingPathComponent(file)) }

    mutating func add(
        _ kind: MockFinding.Kind, _ mock: String?, _ message: String, fix: String?,
        as severity: FileProblem.Severity = .error
    ) {
        let problem = FileProblem(path: FilePath.display(folder.url), message: message, fix: fix)
        add(kind, mock, problem.with(severity))
    }

    mutating func add(_ kind: MockFinding.Kind, _ mock: String?, _ problem: FileProblem) {
        var problem = problem
        problem.details.message = scan.shown(problem.message)
        problem.details.fix = problem.fix.map(scan.shown)
        findings.append(MockFinding(kind, mock: mock, problem))
    }
}
