import FingerpostFiles

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// `Name: value`. A value that is a credential is replaced by `<redacted>`, and so are credentials in URLs.
    public var description: String { "\(name): \(shownValue)" }

    /// The name and the value as ``description`` shows them.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.rawValue, "value": shownValue], displayStyle: .struct)
    }

    /// The value without credentials.
    var shownValue: String {
        name.isSensitive ? SensitiveName.placeholder : ForeignText.redacted(value).printable
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields as text, one `Name: value` per line. Values that are credentials are replaced by `<redacted>`.
    public var description: String { map(\.description).joined(separator: "\n") }

    /// The fields, with `<redacted>` instead of credentials.
    public var customMirror: Mirror {
        Mirror(self, children: map { ($0.name.rawValue, $0.shownValue) }, displayStyle: .struct)
    }
}
