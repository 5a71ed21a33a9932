import Fingerpost
import FingerpostFiles
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The classes of sessions, and the scopes that they belong to. The loading system makes a ``SessionProtocol`` itself,
/// where no task-local value arrives, so the class tells whose request it is.
///
/// This is global mutable state: one of the two exceptions in the library. A number is used once in a process, so that
/// a request that comes too late never finds the mocks of another test. A class cannot be freed; with its entry, it
/// takes about three and a half kilobytes.
enum SessionRegistry {
    private struct Entry {
        /// nil if the scope has ended.
        weak var owner: SessionOwner?
        /// False for a configuration that was made outside any scope.
        let isScoped: Bool
        let origin: SessionOrigin
    }

    private static let entries = Locked<(last: Int, byClass: [ObjectIdentifier: Entry])>((0, [:]))

    /// Makes a class for the requests of a configuration.
    static func newClass(
        for configuration: URLSessionConfiguration, below baseURLs: [URL], in scope: APIScope?, _ origin: SessionOrigin
    ) -> SessionProtocol.Type {
        var owner: SessionOwner?
        if let scope {
            let sessions = scope.session.own(ScopeSessions.key) { ScopeSessions() }
            let new = SessionOwner(scope, baseURLs, configuration, sessions)
            sessions.keep(new)
            owner = new
        }
        return entries.withLock { [owner] entries in
            entries.last += 1
            let type = SessionProtocol.type(number: entries.last)
            entries.byClass[ObjectIdentifier(type)] = Entry(owner: owner, isScoped: scope != nil, origin: origin)
            return type
        }
    }

    /// The owner of a class, and its scope.
    ///
    /// - Throws: ``APIError`` if the scope of the class is not running, or if servers may answer in the scope. The test
    ///   that made the configuration reports the error.
    static func owner(
        of type: SessionProtocol.Type, for request: String
    ) throws(APIError) -> (SessionOwner, APIScope) {
        guard let entry = entries.withLock({ $0.byClass[ObjectIdentifier(type)] }) else {
            // Only `newClass` makes these classes.
            throw APIError(.mock, "the class \(type) belongs to no scope; nothing was sent")
        }
        guard let owner = entry.owner, let scope = owner.scope, scope.isRunning else {
            throw entry.origin.reported(
                entry.isScoped ? .lateSession(of: entry.origin) : .unscopedSession(of: entry.origin), for: request)
        }
        if scope.reachesServers { throw entry.origin.reported(.liveSession, for: request) }
        return (owner, scope)
    }
}

/// The place in the code that made the configuration of a session.
struct SessionOrigin: Sendable {
    typealias Report = @Sendable (String, SourceLocation) -> Void

    /// Records an issue. Tests of this library replace it.
    @TaskLocal static var report: Report = { Issue.record(Comment(rawValue: $0), sourceLocation: $1) }

    /// The name of the test; nil outside of Swift Testing.
    let test: String?
    let location: SourceLocation
    let report: Report

    /// The test and the line.
    fileprivate var text: String {
        (test.map { "\($0), " } ?? "") + "\(location.fileID):\(location.line)"
    }

    /// Reports an error that no running test would notice, because the app may ignore it.
    fileprivate func reported(_ error: APIError, for request: String) -> APIError {
        // A request that was cancelled while its test ran may come here after the end.
        if Task.isCancelled { return error }
        let message = "\(request): \(error.message)"
        StandardError.warn(message)
        report(message + (error.fix.map { ". Fix: \($0)" } ?? ""), location)
        return error
    }
}

/// The owner of the requests of one configuration.
final class SessionOwner: Sendable {
    private struct Weak { weak var scope: APIScope? }

    /// Weak, because the scope keeps this object.
    private let weakScope: Locked<Weak>
    let baseURLs: [URL]
    /// The configuration, which the caller may change. The headers and timeouts are read when a request starts.
    let configuration: URLSessionConfiguration
    private unowned let sessions: ScopeSessions

    init(
        _ scope: APIScope, _ baseURLs: [URL], _ configuration: URLSessionConfiguration, _ sessions: ScopeSessions
    ) {
        weakScope = Locked(Weak(scope: scope))
        (self.baseURLs, self.configuration, self.sessions) = (baseURLs, configuration, sessions)
    }

    /// The scope; nil after the end of the scope.
    var scope: APIScope? { weakScope.withLock { $0.scope } }

    /// The first server that a session of the scope has called.
    func firstOrigin(or origin: URL) -> URL { sessions.firstOrigin(or: origin) }
}

/// The sessions of a scope, which keeps this object.
final class ScopeSessions: Sendable {
    /// Identifies this object in the scope.
    static let key = ScopeSessions()

    private let state = Locked<(owners: [SessionOwner], origin: URL?)>(([], nil))

    func keep(_ owner: SessionOwner) { state.withLock { $0.owners.append(owner) } }

    fileprivate func firstOrigin(or origin: URL) -> URL {
        state.withLock { state in
            state.origin = state.origin ?? origin
            return state.origin ?? origin
        }
    }
}

extension APIScope {
    fileprivate var isRunning: Bool { session.isOpen && !chain.contains(where: \.session.isClosed) }

    /// True if a call in the scope may be sent to a server.
    fileprivate var reachesServers: Bool {
        settings.recorder != nil || max(network ?? .live, environment?.network ?? .live) != .sealed
    }
}

extension APIError {
    fileprivate static func lateSession(of origin: SessionOrigin) -> APIError {
        APIError(
            .mock, "the session was made in a test that has ended (\(origin.text)); nothing was sent",
            fix: "await its requests in the test, and make a session in each test, not one for several")
    }

    fileprivate static func unscopedSession(of origin: SessionOrigin) -> APIError {
        APIError(
            .mock, "the configuration of the session was made outside any scope (\(origin.text)); nothing was sent",
            fix: "give the test the trait .mocks; in XCTest, make the session in setUp() and not in a stored property, "
                + "which is made before the test's scope")
    }

    fileprivate static let liveSession = APIError(
        .mock, "mocks answer the requests of this session, but servers may answer in its scope; nothing was sent",
        fix: "use Mocks.sessionConfiguration in tests with .mocks, and the app's own configuration in live ones and in "
            + "recordings")
}
