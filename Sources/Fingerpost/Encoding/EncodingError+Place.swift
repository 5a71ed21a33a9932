extension EncodingError {
    /// Adds the coding path to an error thrown by a value's own `encode(to:)`. An `EncodingError` already has a coding
    /// path and is kept unchanged.
    init(_ error: any Error, of value: some Encodable, at codingPath: [any CodingKey]) {
        self =
            error as? EncodingError
            ?? .invalidValue(
                value,
                .init(
                    codingPath: codingPath, debugDescription: "\(type(of: value)) cannot be encoded: \(error)",
                    underlyingError: error))
    }

    /// Prefixes the coding path of an error with the value's key, because the encoder of the value did not know this
    /// key.
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
