extension EncodingError {
    /// Adds the coding path to an error thrown by a value's own `encode(to:)`. An `EncodingError` already has one and
    /// is kept.
    init(_ error: any Error, of value: some Encodable, at codingPath: [any CodingKey]) {
        self =
            error as? EncodingError
            ?? .invalidValue(
                value,
                .init(
                    codingPath: codingPath, debugDescription: "\(type(of: value)) cannot be encoded: \(error)",
                    underlyingError: error))
    }

    /// Prefixes the coding path of an error with the key of the value, which the value's encoder did not know.
    init(_ error: any Error, of value: some Encodable, below key: any CodingKey) {
        self.init(error, of: value, at: [])
        guard case .invalidValue(let value, let context) = self else { return }
        self = .invalidValue(
            value,
            .init(
                codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
                underlyingError: context.underlyingError))
    }
}
