import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Collects the findings of all comparisons in a process under `MOCKS=record:…` or `MOCKS=drift:…`.
final class RecordingRun: Sendable {
    /// The counts beside the compared answers, each with its places: `GET /me: "plan" is gone`.
    enum Count: String, CaseIterable {
        case different
        case rejected = "with a rejected token"
        case refused = "refused by the recorder"
        case silent = "without an answer"
        case unsent = "not sent after four without an answer"
        case writes
        case kept = "kept by hand"
        case missing = "without a mock"
        case unmet = "mocks that no call met"
    }

    struct Report: Encodable, Equatable {
        let environment: String
        var compared = 0
        var counted: [String: [String]] = [:]

        var isFailure: Bool {
            let failures: [Count] = [.different, .rejected, .refused, .unsent]
            return compared == 0 || failures.contains { counted[$0.rawValue] != nil }
        }

        mutating func add(_ text: String, to count: Count) {
            if counted[count.rawValue]?.contains(text) != true { counted[count.rawValue, default: []].append(text) }
        }

        var text: String {
            let counts = Count.allCases.compactMap { count in
                counted[count.rawValue].map { "\($0.count) \(count.rawValue) (\($0.joined(separator: "; ")))" }
            }
            return "Drift from \(environment): " + (["\(compared) compared"] + counts).joined(separator: ", ")
        }

        /// Adds the report as a line to a file.
        func append(to file: URL) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let handle = try FileHandle(opening: file, O_WRONLY | O_APPEND | O_CREAT)
            try handle.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
        }
    }

    private struct State {
        var report: Report
        /// The number of calls in a row without an answer.
        var silent = 0
        var hasOrdinaryTests = false
        var isRecording = false
        /// The mocks that calls have met, by the path of their folder.
        var met: [String: Set<ByteName>] = [:]
    }

    /// The run of the test process, which reports when the process ends: neither Swift Testing nor XCTest calls
    /// anything after the last suite, and both call `exit`.
    static let ofProcess: RecordingRun = {
        atexit { RecordingRun.ofProcess.end() }
        // An invalid value fails each test.
        return RecordingRun((try? MockMode.current())?.environment ?? "")
    }()

    private let state: Locked<State>

    init(_ environment: String) { state = Locked(State(report: Report(environment: environment))) }

    /// Notes a test that begins, or samples.
    func begin(isRecording: Bool) {
        state.withLock { if isRecording { $0.isRecording = true } else { $0.hasOrdinaryTests = true } }
    }

    /// Notes the mocks that a call met.
    ///
    /// - Parameter folder: also without a mock, the folder whose other mocks no call met.
    func meet(_ mocks: some Sequence<String>, in folder: URL) {
        state.withLock { $0.met[folder.path, default: []].formUnion(mocks.map { ByteName($0) }) }
    }

    func add(_ text: String, to count: Count) { state.withLock { $0.report.add(text, to: count) } }

    /// Notes an answer that was compared.
    func addCompared() { state.withLock { $0.report.compared += 1 } }

    /// Notes whether a call had an answer.
    func noteAnswer(_ isAnswered: Bool) {
        state.withLock { if $0.silent < 4 { $0.silent = isAnswered ? 0 : $0.silent + 1 } }
    }

    /// True after four calls in a row without an answer.
    var isStopped: Bool { state.withLock { $0.silent >= 4 } }

    /// The report, with the mocks that no call met.
    var report: Report {
        var (report, met) = state.withLock { ($0.report, $0.met) }
        for (path, met) in met {
            // Tests of a folder that cannot be read have failed already.
            let names = (try? MockIndex(url: URL(fileURLWithPath: path)))?.mockNames ?? []
            for name in names where !met.contains(ByteName(name)) { report.add(name, to: .unmet) }
        }
        return report
    }

    /// The reason why a run that sent nothing fails; nil if the run sent something, or had nothing to send.
    var objection: String? {
        let (hasOrdinaryTests, isRecording) = state.withLock { ($0.hasOrdinaryTests, $0.isRecording) }
        return hasOrdinaryTests && !isRecording
            ? "\(MockMode.variable): the mocks answered all calls; add .recording to a suite whose calls are to be sent"
            : nil
    }

    /// Tells what was compared, and fails the process, because no test is left that could fail.
    private func end() {
        guard let mode = try? MockMode.current(), mode != .serve else { return }
        if let objection {
            StandardError.warn(objection)
            _exit(1)
        }
        guard state.withLock(\.isRecording), case .drift = mode else { return }
        let report = report
        print(report.text)
        var isFailure = report.isFailure
        if let file = ProcessInfo.processInfo.environment[variable: "MOCKS_REPORT"] {
            do { try report.append(to: URL(fileURLWithPath: file)) } catch {
                StandardError.warn("MOCKS_REPORT: \(file) cannot be written: \(error)")
                isFailure = true
            }
        }
        fflush(nil)
        if isFailure { _exit(1) }
    }
}
