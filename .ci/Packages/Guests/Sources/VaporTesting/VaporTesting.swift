public import Vapor

// The signatures of VaporTesting.

public enum HTTPMethod: Sendable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case GET
}

public struct TestingHTTPResponse: Sendable {
    public struct Body: Sendable {
        public var string: String
    }
    public var body: Body
}

public struct Tester: Sendable {
    let application: Application

    struct NotFound: Error {}

    /// Calls the handler on a thread that inherits no task-local value, as an event loop does.
    public func test(
        _ method: HTTPMethod, _ path: String,
        afterResponse: @Sendable (TestingHTTPResponse) async throws -> Void
    ) async throws {
        let parts = path.split(separator: "/").map(String.init)
        for (pattern, handler) in application.routes where pattern.count == parts.count {
            var request = Request()
            for (name, part) in zip(pattern, parts) where name.hasPrefix(":") {
                request.parameters.values[String(name.dropFirst())] = part
            }
            let handled = request
            let body = try await Task.detached { try await handler(handled) }.value
            return try await afterResponse(TestingHTTPResponse(body: .init(string: body)))
        }
        throw NotFound()
    }
}

extension Application {
    public func testing() -> Tester { Tester(application: self) }
}

public func withApp<T>(
    configure: ((Application) async throws -> Void)? = nil, _ test: (Application) async throws -> T
) async throws -> T {
    let application = Application()
    try await configure?(application)
    return try await test(application)
}
