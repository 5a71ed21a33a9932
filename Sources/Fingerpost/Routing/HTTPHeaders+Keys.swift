extension HTTPHeaders {
    /// The headers with the values of their keys.
    ///
    /// - Throws: ``APIError`` for a key without a value that can be written into a header.
    func resolved(by lookup: KeyLookup) throws(APIError) -> HTTPHeaders {
        if keys.isEmpty { return self }
        var resolved = HTTPHeaders(self)
        do {
            for field in keys { resolved.add(field.name, try lookup.text(field.key, at: .header)) }
        } catch {
            throw APIError(encoding: error)
        }
        return resolved
    }

    /// The headers that may be sent to another origin.
    ///
    /// - Parameters:
    ///   - authorization: the headers of the client's authorization; nil to keep those that are credentials.
    ///   - keys: true to leave out those that name keys, whose values belong to the server of the environment.
    func following(authorization: Set<Name>?, withoutKeys keys: Bool) -> HTTPHeaders {
        var rest = HTTPHeaders(
            filter { field in authorization.map { field.name.mayFollow(authorization: $0) } ?? true })
        for field in self.keys where !keys { rest.add(field.name, environment: field.key) }
        return rest
    }
}
