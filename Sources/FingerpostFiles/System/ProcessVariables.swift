extension [String: String] {
    /// The value of a process variable; nil if it is not set, and if it is empty: CI systems set variables that have no
    /// value to an empty text.
    package subscript(variable name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}
