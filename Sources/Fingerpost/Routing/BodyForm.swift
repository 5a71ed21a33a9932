import Foundation

/// How a response body becomes a value of a Swift type. For an optional type, the wrapped type decides.
package enum BodyForm {
    /// `Data`: the received bytes.
    case bytes
    /// `String`: the body as text.
    case text
    /// ``NoContent``: the body is not read.
    case nothing
    /// Any other type: the decoder reads the body.
    case decoded

    /// Returns the type that an optional type wraps, or the type itself.
    package static func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any AnyOptional.Type)?.wrapped ?? type }

    package init(_ type: Any.Type) {
        let type = Self.unwrapped(type)
        self = type == Data.self ? .bytes : type == String.self ? .text : type == NoContent.self ? .nothing : .decoded
    }
}
