package import Fingerpost
package import FingerpostMockFiles

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension Route {
    /// The names that the route's mock may have, the preferred name first: ``mock`` if it is set, or else the names of
    /// the enum case or struct from which the route was created. Reading the name of an enum case takes time, so read
    /// this property only for calls that mocks may answer.
    ///
    /// The array is empty for a route without a mock: ``MockName/unmocked``, and any `Route` that was not created from
    /// a router and sets no mock.
    ///
    /// - Throws: ``APIError`` of the kind `mock` if no name is set and the name of the enum case cannot be read.
    package var mockNames: [MockName] {
        get throws(APIError) {
            if let mock { return mock.isUnmocked ? [] : [mock] }
            guard let origin else { return [] }
            if let names = MockName.names(of: origin) { return names }
            let router = String(describing: type(of: origin))
            throw APIError(
                .mock,
                "the name of the case is unknown, so \(router) has to name its mocks: it has a description or a mirror "
                    + "of its own, or was compiled without reflection metadata",
                fix: "implement `mock` in \(router); return .unmocked for a route without a mock")
        }
    }
}

extension MockIndex {
    /// Returns the first of the names in ``/Fingerpost/Route/mockNames`` that a mock in the folder has. If no mock has
    /// one of these names, returns the last name, which is the name of the enum case alone.
    ///
    /// - Returns: nil if the route has no mock.
    /// - Throws: ``APIError`` if the name of the enum case cannot be read.
    package func mockName(of route: Route) throws(APIError) -> MockName? {
        let names = try route.mockNames
        return names.first { stub(named: $0.rawValue).exists } ?? names.last
    }

    /// Returns the variant of a mock for a request's query, or nil if there is no such variant.
    package func page(of stub: MockStub, for request: URLRequest, of route: Route) throws(Failure) -> String? {
        let query = request.url?.query(percentEncoded: true) ?? ""
        return try pages(of: stub)[query].first { $0.route.matches(pathOf: route) }?.variant
    }
}

extension MockName {
    /// Returns the names that the mock of a value can have if the value sets no name. For the enum case
    /// `GitHub.user(login:)`, the names are `GitHub/user` and `user`. For a struct or class, the name is that of the
    /// type.
    ///
    /// - Returns: nil if the name of the enum case cannot be determined. The enum may have its own description or
    ///   mirror, or may have been compiled without reflection metadata.
    fileprivate static func names(of value: any RouteConvertible) -> [MockName]? {
        if value is any CustomReflectable { return nil }
        let type = String(describing: Swift.type(of: value))
        // The parameters of a generic type are not part of the name.
        let folder = unquoted(String(type.prefix(before: "<")))
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum else { return [MockName(rawValue: folder)] }
        if value is any CustomStringConvertible { return nil }
        if value is any CustomDebugStringConvertible { return nil }
        if value is any TextOutputStreamable { return nil }
        var name: String? = nil
        if let payload = mirror.children.first { name = payload.label } else { name = "\(value)" }
        // If an enum has no metadata, Swift describes each of its cases with the enum's own name.
        guard let name, name != type else { return nil }
        let ownName = unquoted(name)
        return [MockName(rawValue: "\(folder)/\(ownName)"), MockName(rawValue: ownName)]
    }

    /// Returns a name without backticks. If a name contains a space, such as `user list`, Swift keeps the backticks and
    /// replaces the space by a no-break space.
    private static func unquoted(_ name: String) -> String {
        name.hasAny(of: "`") ? name.replacing(bytesOf: "`", with: "").replacing(bytesOf: "\u{A0}", with: " ") : name
    }
}
