/// Endpoints that a file declares, as an audit of mocks reads them. A test target that audits no catalog compiles none.
public protocol EndpointList: Sendable {
    /// The endpoints with a mock.
    var mockedEndpoints: [MockedEndpoint] { get }
}

/// An endpoint with a mock.
public struct MockedEndpoint: Sendable {
    package let name: String
    package let mock: String
    package let method: String
    /// The path without its query.
    package let path: Substring
    /// The segments of the path, percent-encoded; nil for one with a placeholder.
    package let segments: [String?]

    package init(name: String, mock: String, method: String, path: Substring, segments: [String?]) {
        (self.name, self.mock, self.method, self.path, self.segments) = (name, mock, method, path, segments)
    }
}
