import FingerpostFiles

/// Why an encoder of this library rejects a value. The text never contains the value.
private struct Unencodable: Error {
    let reason: String
}

extension EncodingError {
    /// - Parameter reason: why the value is rejected. Messages show it, so it must not contain the value.
    init(_ value: Any, at codingPath: [any CodingKey], because reason: String) {
        self = .invalidValue(
            value,
            .init(codingPath: codingPath, debugDescription: reason, underlyingError: Unencodable(reason: reason)))
    }

    /// The text of any error of an encoder: what could not be encoded and where, such as `Card at cards[2]`.
    ///
    /// The value is left out, because it can be a secret. `EncodingError` itself prints it, and the reasons of other
    /// encoders and of the app's `encode(to:)` can contain it.
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
