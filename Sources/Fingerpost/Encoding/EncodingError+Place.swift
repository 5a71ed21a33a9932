extension EncodingError {
    /// An error of a value's own `encode(to:)`, which does not know its place, with the place. One that does stays.
    init(_ error: any Error, of value: some Encodable, at codingPath: [any CodingKey]) {
        self =
            error as? EncodingError
            ?? .invalidValue(
                value,
                .init(
                    codingPath: codingPath, debugDescription: "\(type(of: value)) cannot be written: \(error)",
                    underlyingError: error))
    }

    /// An error of a value that stands below a key, whose encoder did not know the key.
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
