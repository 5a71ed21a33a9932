import Foundation

extension EncodingError {
    /// The error for a date that is not a number, is infinite, or is not in the years 1 to 9999 of ISO 8601.
    init(unwritable date: Date, codingPath: [any CodingKey]) {
        self.init(date, at: codingPath, because: "a date outside the years 1 to 9999 cannot be written")
    }

    /// Turns an error thrown by a value's own `encode(to:)` into an `EncodingError` with the coding path. An error that
    /// is already an `EncodingError` has a coding path and is kept unchanged.
    init(_ error: any Error, of value: some Encodable, at codingPath: [any CodingKey]) {
        self =
            error as? EncodingError
            ?? .invalidValue(
                value,
                .init(
                    codingPath: codingPath, debugDescription: "\(type(of: value)) cannot be encoded: \(error)",
                    underlyingError: error))
    }

    /// Puts the value's key in front of the error's coding path, because the encoder that encoded the value did not
    /// know this key.
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
