import FingerpostFiles
import Foundation

/// Formats coding paths for messages: `owner.repos[3].name`.
enum CodingPath {
    /// Returns the path as text, with dots between keys and brackets around indices. For the root, the text is empty.
    ///
    /// - Parameter isShown: true to redact keys that are credentials, as in `tokens.<redacted>.user`. The keys of a
    ///   dictionary come from the server, so each key is redacted if the dictionary has a sensitive name. The keys of a
    ///   model are names in the app's code, so these keys are never redacted.
    static func text(_ path: [any CodingKey], isShown: Bool = false) -> String {
        var isInCredential = false
        return path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            let isHidden = isShown && isInCredential && Mirror(reflecting: key).displayStyle != .enum
            let name = isHidden ? SensitiveName.placeholder : key.stringValue
            // The plural of a credential's name counts too, such as `sessions`.
            let names = [key.stringValue, key.stringValue.withoutEnd(key.stringValue.ends(with: "s") ? "s" : "")]
            isInCredential = isInCredential || names.contains(where: SensitiveName.isSensitive)
            return text.isEmpty ? name : "\(text).\(name)"
        }
    }

    /// Returns the path as text, without keys that are credentials.
    static func shown(_ path: [any CodingKey]) -> String { text(path, isShown: true) }
}

/// The reason why an encoder of this library rejects a value. The text never contains the value.
private struct Unencodable: Error {
    let reason: String
}

extension EncodingError {
    /// - Parameter reason: the reason why the value is rejected. The reason must not contain the value, because
    ///   messages show it.
    init(_ value: Any, at codingPath: [any CodingKey], because reason: String) {
        self = .invalidValue(
            value,
            .init(codingPath: codingPath, debugDescription: reason, underlyingError: Unencodable(reason: reason)))
    }

    /// Returns a text about an encoder's error. The text says what could not be encoded, and where: `Card at cards[2]`.
    ///
    /// The value is left out, because it can be a secret. `EncodingError` itself prints the value, and the errors of
    /// other encoders and of the app's `encode(to:)` can contain the value.
    package static func text(of error: any Error) -> String {
        if let problem = error as? FileProblem { return problem.message }
        guard case .invalidValue(let value, let context)? = error as? EncodingError else {
            return "\(type(of: error))"
        }
        let path = CodingPath.shown(context.codingPath)
        let place = "\(type(of: value))" + (path.isEmpty ? "" : " at \(path)")
        return place + ((context.underlyingError as? Unencodable).map { ": \($0.reason)" } ?? "")
    }
}

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

    /// Puts the value's key in front of the error's coding path, because the encoder of the value did not receive this
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
