public import FingerpostMocks
public import Foundation
public import Testing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Mocks {
    /// A configuration for a session of the app's own client, such as `URLSession` or Alamofire. The mocks of the test
    /// answer the session's requests, and nothing is sent. The app does not import this library. In a suite with the
    /// trait `.mocks`:
    ///
    /// ```swift
    /// let api = GitHubAPI(session: URLSession(configuration: Mocks.sessionConfiguration()))
    /// ```
    ///
    /// A mock answers the requests that the `for` entry of its settings names: `Mocks/createIssue.mock.json` with
    /// `{ "for": "POST /repos/{owner}/{repo}/issues" }`. If several mocks fit, that with more fixed segments answers,
    /// then that with more items of the query. A request without a mock fails, and its test too.
    ///
    /// The configuration is ephemeral and has no cache. Change it before you create the session; leave its
    /// `protocolClasses` as they are. The session belongs to the test, or to the ``/Fingerpost/APIScope``, that calls
    /// this method: create it in each test. In XCTest, create it in `setUp()`, because stored properties are created
    /// before the scope.
    ///
    /// - Parameters:
    ///   - baseURLs: the URLs that the paths in `for` are below, besides the base URL of the test's environment. If
    ///     there are none of both, `for` names the whole path, and the test can call one server only.
    ///   - sourceLocation: where requests are reported that begin after the test has ended.
    public static func sessionConfiguration(
        _ baseURLs: URL..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // On Linux, a cancelled task that ends meanwhile can end the process if there is a cache.
        configuration.urlCache = nil
        let origin = SessionOrigin(test: Test.current?.name, location: sourceLocation, report: SessionOrigin.report)
        configuration.protocolClasses = [
            SessionRegistry.newClass(for: configuration, below: baseURLs, in: .current, origin)
        ]
        return configuration
    }
}
