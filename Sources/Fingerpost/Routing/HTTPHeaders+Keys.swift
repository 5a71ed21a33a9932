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
}
