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

    /// The headers without those that are credentials by their names, and without those that name keys.
    func without(credentials: Bool, keys: Bool) -> HTTPHeaders {
        var rest = HTTPHeaders(credentials ? filter { !$0.name.isSensitive } : Array(self))
        for field in self.keys where !keys { rest.add(field.name, environment: field.key) }
        return rest
    }
}
