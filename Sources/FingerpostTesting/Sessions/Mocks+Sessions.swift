public import FingerpostMocks
public import Foundation
public import Testing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Mocks {
    /// Returns a configuration for a session of the app's own client, such as `URLSession` or Alamofire. The mocks of
    /// the test answer the session's requests, and nothing is sent. The app does not need to import this library. In a
    /// suite with the trait `.mocks`:
    /// ```swift
    /// let api = GitHubAPI(session: URLSession(configuration: Mocks.sessionConfiguration()))
    /// ```
    ///
    /// A mock answers the requests that the `for` entry of its settings names: `Mocks/createIssue.mock.json` with `{
    /// "for": "POST /repos/{owner}/{repo}/issues" }`. If several mocks match a request, the mock with the most fixed
    /// path segments answers. If several of these mocks have equally many fixed segments, the mock with the most query
    /// items answers. A request without a mock fails, and the test fails too.
    ///
    /// The configuration is ephemeral and has no cache. Change the configuration before you create the session, but
    /// leave its `protocolClasses` as they are. The session belongs to the test or the ``/Fingerpost/APIScope`` that
    /// calls this method, so create a session in each test. In XCTest, create the session in `setUp()`, because stored
    /// properties are created before the scope.
    ///
    /// - Parameters:
    ///   - baseURLs: the URLs to which the paths in `for` entries are relative, in addition to the base URL of the
    ///     test's environment. If there are no base URLs, each `for` entry contains the whole path, and the test can
    ///     call only one server.
    ///   - sourceLocation: the line of code at which an error is reported if a request starts after the end of the
    ///     test.
    public static func sessionConfiguration(
        _ baseURLs: URL..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // On Linux, a session with a cache can crash the process if a task is cancelled while the task ends.
        configuration.urlCache = nil
        let origin = SessionOrigin(test: Test.current?.name, location: sourceLocation, report: SessionOrigin.report)
        configuration.protocolClasses = [
            SessionRegistry.newClass(for: configuration, below: baseURLs, in: .current, origin)
        ]
        return configuration
    }
}
