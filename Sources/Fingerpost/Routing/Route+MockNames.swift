extension Route {
    /// The names that the route's mock may have, the preferred name first: ``mock`` if it is set, or else the names
    /// made from the enum case or the struct that the route was created from. Reading a case's name takes time, so read
    /// this property only for calls that mocks may answer.
    ///
    /// The array is empty for a route without a mock: ``MockName/unmocked``, and any `Route` that was not created from
    /// a router and sets no mock.
    ///
    /// - Throws: ``APIError`` of the kind `mock` if no name is set and the name of the case cannot be read.
    package var mockNames: [MockName] {
        get throws(APIError) {
            if let mock { return mock.isUnmocked ? [] : [mock] }
            guard let origin else { return [] }
            if let names = RouteName.mockNames(of: origin) { return names }
            let router = String(describing: type(of: origin))
            throw APIError(
                .mock,
                "the name of the case is unknown, so \(router) has to name its mocks: it has a description or a mirror "
                    + "of its own, or was compiled without reflection metadata",
                fix: "implement `mock` in \(router); return .unmocked for a route without a mock")
        }
    }

    /// The name of the route's mock: the first of ``mockNames`` that exists. If none exists, it is the last one, which
    /// is the name of the case alone.
    ///
    /// - Parameter exists: returns true if there is a mock with the name. Only called if there is a choice.
    /// - Returns: nil if the route has no mock.
    /// - Throws: ``APIError`` as ``mockNames`` does.
    package func mockName(where exists: (MockName) -> Bool) throws(APIError) -> MockName? {
        let names = try mockNames
        return names.count > 1 ? names.first(where: exists) ?? names.last : names.first
    }
}
