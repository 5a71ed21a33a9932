import Foundation

/// The way in which a body becomes a value of a type. An optional is read as the type that the optional wraps.
package enum BodyForm {
    /// `Data`: the bytes as they came.
    case bytes
    /// `String`: a text.
    case text
    /// ``NoContent``: nothing of the body.
    case nothing
    /// Any other type: what the decoder makes of the body.
    case decoded

    /// The type that an optional wraps; any other type itself.
    package static func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any AnyOptional.Type)?.wrapped ?? type }

    package init(_ type: Any.Type) {
        let type = Self.unwrapped(type)
        self = type == Data.self ? .bytes : type == String.self ? .text : type == NoContent.self ? .nothing : .decoded
    }
}
