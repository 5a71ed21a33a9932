import FingerpostDocuments
import FingerpostFiles

/// The keys of an answer that settings, scenarios and other processes write in the same way.
extension Field<StubResponse> {
    static var status: Self { Field("status", \.status) { $0.integer($1, in: HTTPSyntax.statuses) } }

    static var failure: Self {
        Field("failure", \.failure) { reader, entry in
            let fix = "use truncated, malformed, empty, or the name of a URLError.Code such as timedOut"
            return reader.choice(entry, MockFailure.names, fix: fix).flatMap { MockFailure($0) }
        }
    }
}

/// Reads the values of the keys that describe an answer.
extension ObjectReader {
    mutating func headers(_ entry: Node.Entry) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        for field in members(entry, ignoringCase: true, fix: "write { \"ETag\": \"1\" }") ?? [] {
            check(field.keyOffset) { () throws(FileProblem) in try StubResponse.check(header: field.key) }
            let values = if case .array(let elements) = field.node.value { elements } else { [field.node] }
            for value in values {
                guard let text = value.string else {
                    report(value.offset, "the header \"\(field.key)\" is \(value.value.kind)", fix: "put it in quotes")
                    continue
                }
                check(value.offset) { () throws(FileProblem) in try StubResponse.check(text, ofHeader: field.key) }
                headers.append((field.key, text))
            }
        }
        return headers
    }

    private mutating func check(_ offset: Int?, _ check: () throws(FileProblem) -> Void) {
        do throws(FileProblem) { try check() } catch { report(offset, error.message, fix: error.fix) }
    }

    mutating func pace(_ entry: Node.Entry) -> MockPace? {
        var pace = MockPace()
        let fields: [Field<MockPace>] = [
            Field("each", \.unit) { reader, entry in
                reader.parse(entry) { text throws(FileProblem) in
                    if let unit = MockPace.Unit(text) { return unit }
                    throw FileProblem(
                        "it is no piece of a body" + NearestName.hint(text, in: ["event", "line"]),
                        fix: "use event, line, or a number of bytes: bytes:4096")
                }
            },
            Field("delay") {
                let fix = "write the time before each piece, for example 0.2"
                $2.interval = $0.seconds($1, fix: fix).map { .seconds($0) } ?? $2.interval
            },
        ]
        let found = object(entry, fields, into: &pace, fix: "write { \"each\": \"line\", \"delay\": 0.2 }")
        return found.map { _ in pace }
    }

    /// The number of pieces of a truncated body.
    mutating func pieces(_ entry: Node.Entry) -> Int? {
        guard case .string(let text) = entry.node.value else { return integer(entry, in: 0...1_000_000) }
        // The same key beside a sequence says what follows the last answer.
        let isOfSequence = AfterSequence(rawValue: text) != nil
        report(
            entry.node.offset,
            isOfSequence
                ? "\"after\" is \"\(text)\", which needs a \"sequence\" beside it"
                : "\"after\" is \"\(text)\" where a number of pieces is expected",
            fix: isOfSequence
                ? "move it beside the sequence, or remove it" : "write a number, for example 3")
        return nil
    }

    mutating func delay(_ entry: Node.Entry) -> MockDelay? {
        let fix = "write 0.25, [0.1, 0.6] from the shortest to the longest, or { \"median\": 0.2, \"p99\": 1.5 }"
        switch entry.node.value {
        case .array(let elements):
            let bounds = elements.compactMap(\.seconds)
            guard elements.count == 2, bounds.count == 2, bounds[0] <= bounds[1] else { break }
            return .uniform(bounds[0]...bounds[1])
        case .dictionary:
            let found = entries(of: entry.node, "in \"delay\"", known: ["median", "p99"])
            let (median, p99) = (found.named("median")?.node.seconds, found.named("p99")?.node.seconds)
            guard let median, let p99, median > 0, median <= p99 else { break }
            return .logNormal(median: median, p99: p99)
        default: return seconds(entry, fix: fix).map { .fixed(.seconds($0)) }
        }
        reportSeconds(entry, fix: fix)
        return nil
    }

    /// A time in seconds, up to a day.
    mutating func seconds(_ entry: Node.Entry, fix: String) -> Double? {
        if let seconds = entry.node.seconds { return seconds }
        reportSeconds(entry, fix: fix)
        return nil
    }

    private mutating func reportSeconds(_ entry: Node.Entry, fix: String) {
        reportKind(entry, "a time in seconds from 0 to \(Node.longestDelay)", fix: fix)
    }

    mutating func then(_ entry: Node.Entry, in listing: MockListing) -> [(mock: String, variant: String)] {
        var found: [(mock: String, variant: String)] = []
        for mock in members(entry, fix: "write { \"jobs/list\": \"withNew\" }") ?? [] {
            let files = listing.files(of: mock.key)
            if files.isEmpty {
                report(
                    mock.keyOffset,
                    "there is no mock \"\(mock.key)\"" + listing.hints.hint(mock.key, in: listing.mockNames),
                    fix: "correct or remove it")
            }
            guard let variant = text(mock), !files.isEmpty else { continue }
            if files.variant(variant) == nil {
                let names = files.variants.map(\.name)
                report(
                    mock.node.offset,
                    "the mock \"\(mock.key)\" has no variant \"\(variant)\"" + listing.hints.hint(variant, in: names),
                    fix: names.isEmpty
                        ? "add \(MockFileName.newFile(of: files.name, variant: variant))"
                        : "use \(names.joined(separator: ", "))")
            }
            found.append((mock.key, variant))
        }
        return found
    }
}

extension Node {
    /// The maximum delay: one day, in seconds.
    fileprivate static let longestDelay = 86_400

    /// The seconds of a delay; nil for anything else.
    fileprivate var seconds: Double? {
        number.flatMap { (0...Double(Self.longestDelay)).contains($0) ? $0 : nil }
    }
}
