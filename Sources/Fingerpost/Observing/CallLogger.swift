import FingerpostFiles

/// Logs one line for each call, without secrets:
///
/// ```
/// GET users/octocat 200 34 ms 1.2 KB mock user
/// ```
///
/// For a call that failed, the logger writes the description of the ``APIError`` instead, which has several lines. On
/// Apple platforms, the system's log keeps each text (subsystem `Fingerpost`, category `calls`). On other platforms,
/// the texts go to standard error.
///
/// To log the calls of an environment without any code, write `"$log": "calls"` or `"$log": "failures"` in the file of
/// that environment. Use this type to log the calls of one client or scope, whichever environment is selected, or to
/// write the texts somewhere other than the system's log:
///
/// ```swift
/// configuration.observers.append(CallLogger(.failures) { logger.error("\($0)") })
/// ```
public struct CallLogger: CallObserver {
    /// Which calls are logged.
    public enum Level: String, Sendable, CaseIterable {
        /// The calls that failed. Cancelled calls are not logged.
        case failures
        /// All calls.
        case calls
    }

    private let level: Level
    private let write: (@Sendable (String) -> Void)?

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - level: which calls are logged; all calls by default.
    ///   - write: receives each text. By default, the texts go to the system's log or to standard error.
    public init(_ level: Level = .calls, write: (@Sendable (String) -> Void)? = nil) {
        self.level = level
        self.write = write
    }

    /// Logs the call if the logger's level includes it.
    public func finished(_ call: LoggedCall) {
        let failure = call.error.flatMap { $0.kind == .cancelled ? nil : $0 }
        if failure == nil, level == .failures { return }
        let text = failure?.description ?? Self.line(of: call)
        if let write { return write(text) }
        SystemLog.write(text, category: "calls", isError: failure != nil)
    }

    private static func line(of call: LoggedCall) -> String {
        var words = [call.line]
        if let duration = call.duration { words.append(duration.shortText) }
        if let size = call.responseSize { words.append(Self.text(ofSize: size)) }
        if call.attempts > 1 { words.append("\(call.attempts) attempts") }
        if case .mock = call.source { words.append("mock \(call.name)") }
        return words.joined(separator: " ")
    }

    /// Returns a number of bytes as text with a decimal unit: `812 B`, `1.2 KB`, `3.4 MB`.
    static func text(ofSize size: Int64) -> String {
        let units = ["B", "KB", "MB", "GB"]
        var (tenths, unit) = (size * 10, 0)
        while tenths >= 10_000, unit + 1 < units.count {
            tenths = (tenths + 500) / 1000
            unit += 1
        }
        let fraction = unit == 0 || tenths % 10 == 0 ? "" : ".\(tenths % 10)"
        return "\(tenths / 10)\(fraction) \(units[unit])"
    }
}
