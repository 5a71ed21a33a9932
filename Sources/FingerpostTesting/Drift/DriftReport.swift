import FingerpostDocuments
import FingerpostFiles
import FingerpostShared
import Foundation

/// What a run of tests has compared with a server. The processes of one `swift test` add to one file.
struct DriftReport: Codable, Equatable {
    enum Reason: String, Codable {
        case chosen = "chosen answers"
        case failure = "answers that are no success"
        case write = "writes"
        case otherHost = "other hosts"
        case cursor = "pages at a recorded cursor"
        case changed = "requests that code has changed"
        case credentials = "without credentials"
        case noObject = "no such object"
        case noAnswer = "without an answer"
        case stopped = "after the server stopped answering"
        case limited = "refused for their number"
        case tooLarge = "too large"
    }

    /// The reads of one route with one mock.
    struct Read: Codable, Equatable {
        var mock: String
        /// The route without values: `GET /users/…`.
        var route: String
        /// When the mock was recorded; nil for one written by hand.
        var recorded: Date?
        /// What differs, each once: `"plan" is gone`.
        var differences: [String] = []

        func isSame(as other: Read) -> Bool { (mock, route) == (other.mock, other.route) }
    }

    var environment = ""
    /// The process that has started those of the run.
    var run = getppid()
    /// The requests whose responses were compared.
    var reads = 0
    /// The tests with such calls.
    var tests = 0
    var routes: [Read] = []
    var notCompared: [String: Int] = [:]

    /// True if there was something to compare, and nothing could be, or if the server stopped answering.
    var isFailure: Bool {
        let reasons: [Reason] = [.credentials, .noAnswer, .limited, .changed]
        return notCompared[Reason.stopped.rawValue] != nil
            || reads == 0 && reasons.contains { notCompared[$0.rawValue] != nil }
    }

    mutating func add(_ other: DriftReport) {
        if environment.isEmpty { environment = other.environment }
        (reads, tests) = (reads + other.reads, tests + other.tests)
        notCompared.merge(other.notCompared, uniquingKeysWith: +)
        for new in other.routes {
            guard let index = routes.firstIndex(where: { $0.isSame(as: new) }) else {
                routes.append(new)
                continue
            }
            let known = routes[index].differences
            routes[index].differences += new.differences.filter { !known.contains($0) }
        }
    }

    var text: String {
        let differing = routes.filter { !$0.differences.isEmpty }.ordered { $0.route < $1.route }
        let count = "\(differing.count.inWords("route")) \(differing.count == 1 ? "differs" : "differ")"
        let lines = differing.map { route in
            let day = route.recorded.map { " (recorded on \(ISO8601Text.text(of: $0).prefix(10)))" } ?? ""
            return "\(route.route)\(day): \(route.differences.joined(separator: ", "))"
        }
        let others = notCompared.ordered { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "Drift from \(environment): \(reads.inWords("read")) of \(tests.inWords("test")) compared, \(count)"
            + (lines.isEmpty ? "" : ": " + lines.joined(separator: "; "))
            + (others.isEmpty ? "" : "; not compared: " + others.joined(separator: ", "))
            + (isFailure ? reads == 0 ? ". Nothing could be compared" : ". The server stopped answering" : "")
    }

    /// Writes the report into a file, together with what another process of the run has written there.
    ///
    /// - Returns: the report of both.
    @discardableResult
    func write(to file: URL) throws -> DriftReport {
        let lock = try FileHandle(opening: file.deletingLastPathComponent(), O_RDONLY)
        defer { flock(lock.fileDescriptor, LOCK_UN) }
        guard flock(lock.fileDescriptor, LOCK_EX) == 0 else { throw POSIXError.last }
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        (decoder.dateDecodingStrategy, encoder.dateEncodingStrategy) = (.iso8601, .iso8601)
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Whatever else the file has is of an earlier run.
        let written = try? decoder.decode(DriftReport.self, from: Data(contentsOf: file))
        var report = self
        // A process without a parent of its own, as Xcode starts it, is a run of itself.
        if let written, written.run == run, run > 1, written.environment == environment { report.add(written) }
        try NewFile.replace(file, with: encoder.encode(report))
        return report
    }
}

extension DriftReport {
    /// The report of a read that was not compared.
    init(_ reason: Reason) { self.init(notCompared: [reason.rawValue: 1]) }
}
