import Fingerpost
import FingerpostFiles
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Creates the protocol classes of sessions, and stores the scope that each class belongs to. The loading system
/// creates a ``SessionProtocol`` in a context without task-local values, so only the class identifies the scope, and
/// the entries are global.
///
/// Each class number is used once in a process, so a late request never gets the mocks of another test. A class cannot
/// be freed. A class and its entry take about 3.5 KB.
enum SessionRegistry {
    private struct Entry {
        /// The owner, or nil if the scope has ended.
        weak var owner: SessionOwner?
        /// False for a configuration that was created outside of any scope.
        let isScoped: Bool
        let origin: SessionOrigin
    }

    private static let entries = Locked<(last: Int, byClass: [ObjectIdentifier: Entry])>((0, [:]))

    /// Creates a class for the requests of a configuration.
    static func newClass(
        for configuration: URLSessionConfiguration, below baseURLs: [URL], in scope: APIScope?, _ origin: SessionOrigin
    ) -> SessionProtocol.Type {
        let owner = scope.map { SessionOwner($0, baseURLs, configuration) }
        // The scope holds the owner.
        if let owner { _ = scope?.session.own(owner) { owner } }
        return entries.withLock { entries in
            entries.last += 1
            let type = SessionProtocol.type(number: entries.last)
            entries.byClass[ObjectIdentifier(type)] = Entry(owner: owner, isScoped: scope != nil, origin: origin)
            return type
        }
    }

    /// Returns the owner of a class, and the owner's scope.
    ///
    /// - Throws: ``APIError`` if the scope of the class is not running, or if servers may answer in the scope. The test
    ///   that created the configuration reports the error.
    static func owner(
        of type: SessionProtocol.Type, for request: String
    ) throws(APIError) -> (SessionOwner, APIScope) {
        guard let entry = entries.withLock({ $0.byClass[ObjectIdentifier(type)] }) else {
            // Only `newClass` creates such classes, and `newClass` adds an entry for each class.
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

/// The place in the code that created the configuration of a session.
struct SessionOrigin: Sendable {
    typealias Report = @Sendable (String, SourceLocation) -> Void

    /// Records an issue. Tests of this library replace this closure.
    @TaskLocal static var report: Report = { Issue.record(Comment(rawValue: $0), sourceLocation: $1) }

    /// The name of the test; nil outside of Swift Testing.
    let test: String?
    let location: SourceLocation
    let report: Report

    /// The test's name and the source location.
    fileprivate var text: String {
        (test.map { "\($0), " } ?? "") + "\(location.fileID):\(location.line)"
    }

    /// Reports an error as an issue of the test, because the app may ignore the error.
    fileprivate func reported(_ error: APIError, for request: String) -> APIError {
        // A request that was cancelled during its test may arrive here after the test.
        if Task.isCancelled { return error }
        let message = "\(request): \(error.message)"
        StandardError.warn(message)
        report(message + (error.fix.map { ". Fix: \($0)" } ?? ""), location)
        return error
    }
}

/// The scope and the settings that the requests of one configuration use.
final class SessionOwner: Sendable {
    private struct Weak { weak var scope: APIScope? }

    /// The reference is weak, because the scope holds this object.
    private let weakScope: Locked<Weak>
    let baseURLs: [URL]
    /// The configuration, which the caller may still change. The configuration's headers and timeouts are read when a
    /// request starts.
    let configuration: URLSessionConfiguration

    init(_ scope: APIScope, _ baseURLs: [URL], _ configuration: URLSessionConfiguration) {
        weakScope = Locked(Weak(scope: scope))
        (self.baseURLs, self.configuration) = (baseURLs, configuration)
    }

    /// The scope, or nil after the scope has ended.
    var scope: APIScope? { weakScope.withLock { $0.scope } }
}

/// The first server that the sessions of a scope have called. The scope holds this object.
final class FirstServer: Sendable {
    /// The key under which a scope stores its object.
    private static let key = FirstServer()

    private let server = Locked<URL?>(nil)

    /// Returns the first server that a session of the scope has called. If no session has called a server, stores and
    /// returns `origin`.
    static func of(_ scope: APIScope, or origin: URL) -> URL {
        scope.session.own(key) { FirstServer() }.server.withLock { server in
            server = server ?? origin
            return server ?? origin
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
