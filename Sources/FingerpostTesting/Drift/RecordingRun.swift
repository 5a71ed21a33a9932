import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Collects the findings of all comparisons in a process under `MOCKS=record:…` or `MOCKS=drift:…`.
final class RecordingRun: Sendable {
    /// The kinds of entries in the report. Each entry names a route or a mock, as in `GET /me: "plan" is gone`.
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

        /// Appends the report to a file as one line of JSON.
        func append(to file: URL) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let handle = try FileHandle(opening: file, O_WRONLY | O_APPEND | O_CREAT)
            try handle.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
        }
    }

    private struct State {
        var report: Report
        /// The number of consecutive calls without an answer.
        var silent = 0
        var hasOrdinaryTests = false
        var isRecording = false
        /// The mocks that calls have used, by the path of the mocks folder.
        var met: [String: Set<ByteName>] = [:]
    }

    /// The run of the test process. The report is printed when the process exits, because neither Swift Testing nor
    /// XCTest calls any code after the last suite.
    static let ofProcess: RecordingRun = {
        atexit { RecordingRun.ofProcess.end() }
        // If the value of `MOCKS` is invalid, each test reports the error.
        return RecordingRun((try? MockMode.current())?.environment ?? "")
    }()

    private let state: Locked<State>

    init(_ environment: String) { state = Locked(State(report: Report(environment: environment))) }

    /// Records that a test or a comparison of samples begins.
    func begin(isRecording: Bool) {
        state.withLock { if isRecording { $0.isRecording = true } else { $0.hasOrdinaryTests = true } }
    }

    /// Notes the mocks that a call used. The report lists the folder's other mocks.
    ///
    /// - Parameter folder: the mocks folder.
    func meet(_ mocks: some Sequence<String>, in folder: URL) {
        state.withLock { $0.met[folder.path, default: []].formUnion(mocks.map { ByteName($0) }) }
    }

    func add(_ text: String, to count: Count) { state.withLock { $0.report.add(text, to: count) } }

    func addCompared() { state.withLock { $0.report.compared += 1 } }

    func noteAnswer(_ isAnswered: Bool) {
        state.withLock { if $0.silent < 4 { $0.silent = isAnswered ? 0 : $0.silent + 1 } }
    }

    /// True after four consecutive calls without an answer.
    var isStopped: Bool { state.withLock { $0.silent >= 4 } }

    /// The report, including the mocks that no call used.
    var report: Report {
        var (report, met) = state.withLock { ($0.report, $0.met) }
        for (path, met) in met {
            // If the folder cannot be read, its tests have already failed.
            let names = (try? MockIndex(url: URL(fileURLWithPath: path)))?.mockNames ?? []
            for name in names where !met.contains(ByteName(name)) { report.add(name, to: .unmet) }
        }
        return report
    }

    /// The error for a run in which mocks answered all calls, because no test uses `.recording`. Nil if a test uses
    /// `.recording`, or if no ordinary test ran.
    var objection: String? {
        let (hasOrdinaryTests, isRecording) = state.withLock { ($0.hasOrdinaryTests, $0.isRecording) }
        return hasOrdinaryTests && !isRecording
            ? "\(MockMode.variable): the mocks answered all calls; add .recording to a suite whose calls are to be sent"
            : nil
    }

    /// Prints the report. If the run has failed, ends the process with an error, because no test is left that could
    /// fail.
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
