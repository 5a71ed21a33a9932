import FingerpostFiles

/// A JSON Pointer (RFC 6901), which says where a value is: `/items/0/id`.
struct JSONPointer: Sendable, CustomStringConvertible {
    /// The unescaped parts, which slashes separate in the written form.
    let parts: [String]

    /// The written form, with `~` and `/` escaped.
    var description: String {
        var text = ""
        for part in parts {
            text += "/" + part.replacing(bytesOf: "~", with: "~0").replacing(bytesOf: "/", with: "~1")
        }
        return text
    }
}
