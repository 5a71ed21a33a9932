extension APIError {
    /// The kind and the message, as in the first line of the description.
    package var line: String { "\(kind): \(message)" }
}
