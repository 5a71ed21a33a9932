// The signatures of Vapor 4.

// Only one task at a time uses it, in the tests of this package.
public final class Application: @unchecked Sendable {
    public typealias Handler = @Sendable (Request) async throws -> String
    package private(set) var routes: [([String], Handler)] = []

    package init() {}

    public func get(_ path: String..., use handler: @escaping Handler) { routes.append((path, handler)) }
}

public struct Parameters: Sendable {
    package var values: [String: String] = [:]

    struct Missing: Error {}

    public func require(_ name: String) throws -> String {
        guard let value = values[name] else { throw Missing() }
        return value
    }
}

public struct Request: Sendable {
    public var parameters = Parameters()

    package init() {}
}
