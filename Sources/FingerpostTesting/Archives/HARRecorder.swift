public import Fingerpost
import FingerpostFiles
public import Foundation

/// Keeps the requests and responses of a run as an HTTP Archive (HAR 1.2), which browsers' developer tools and proxies
/// open.
///
/// ```swift
/// let recorder = HARRecorder()
/// let client = try APIClient { $0.observers = [recorder] }
/// …
/// try recorder.write(to: URL(fileURLWithPath: "run.har"))
/// ```
///
/// Every attempt is an entry: redirects and retries too. Secrets are redacted as in recorded mocks, and JSON is
/// formatted like theirs. A body is left out, with the reason as a comment, if it is too large, if a secret in it
/// cannot be redacted, if it went to a large file, if it is a request's and is not text, or if the app read it as it
/// arrived and it is not text or did not come to its end.
/// To answer calls later with what a server answered, record mocks instead: see ``RecordingMiddleware``.
public final class HARRecorder: CallObserver, StreamObserver {
    private struct State {
        var entries: [[String: any Sendable]] = []
        var omitted = 0
    }

    package let maximumBodySize: Int
    private let maximumEntries: Int
    private let state = Locked(State())

    /// Creates a recorder without entries.
    ///
    /// - Parameters:
    ///   - maximumBodySize: the size in bytes up to which bodies are kept; 64 KiB by default.
    ///   - maximumEntries: how many entries are kept; later ones are only counted. 1,000 by default.
    public init(maximumBodySize: Int = 65_536, maximumEntries: Int = 1000) {
        self.maximumBodySize = maximumBodySize
        self.maximumEntries = maximumEntries
    }

    /// The number of entries so far.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The archive so far, as JSON.
    ///
    /// - Throws: an error if the archive cannot be written as JSON.
    public func data() throws -> Data {
        let state = state.withLock { $0 }
        var log: [String: any Sendable] = [
            "version": "1.2", "creator": ["name": "Fingerpost", "version": "1"], "entries": state.entries,
        ]
        if state.omitted > 0 { log["comment"] = "\(state.omitted) later entries were not kept" }
        return try JSONSerialization.data(
            withJSONObject: ["log": log], options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// Writes the archive so far to a file, which it replaces.
    ///
    /// - Throws: an error if the file cannot be written.
    public func write(to file: URL) throws { try data().write(to: file, options: .atomic) }

    /// Keeps the requests and responses of a call that has just ended. Of a call from a log, it keeps nothing.
    public func finished(_ call: LoggedCall) {
        // Its requests and responses are no longer known.
        if call.record.isOver { return }
        let entries = HAREntries(call, maximumBodySize: maximumBodySize).all
        state.withLock { state in
            let kept = entries.prefix(max(0, maximumEntries - state.entries.count))
            state.entries += kept
            state.omitted += entries.count - kept.count
        }
    }
}
