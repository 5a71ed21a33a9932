/// Endpoints that a file declares, for an audit of mocks. With this protocol, an audit does not import the module of
/// catalogs, so only tests that use catalogs compile the module.
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
    /// The percent-encoded segments of the path. A segment with a placeholder is nil.
    package let segments: [String?]

    package init(name: String, mock: String, method: String, path: Substring, segments: [String?]) {
        (self.name, self.mock, self.method, self.path, self.segments) = (name, mock, method, path, segments)
    }
}
