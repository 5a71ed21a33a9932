import Foundation

/// A media type (RFC 9110 section 8.3.1).
package struct MediaType: Sendable {
    /// The type and subtype: `image/png`.
    package let rawValue: String

    /// The media type of a `Content-Type`, in lower case and without parameters, as in `text/html; charset=utf-8`.
    package init(contentType: String) {
        rawValue = contentType.prefix(before: ";").trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The parameter `charset` of a `Content-Type`, without quotes; nil if there is none (RFC 9110 section 8.3.2).
    package static func charset(of contentType: String) -> String? {
        var rest = contentType[contentType.prefix(before: ";").endIndex...]
        while let (name, value) = HTTPSyntax.parameter(in: &rest) {
            if name.isSame(as: "charset"), let value { return value }
        }
        return nil
    }

    /// True for JSON, and for a format that is written in JSON (RFC 6839 section 3.1).
    package var isJSON: Bool { ["application/json", "text/json"].contains(rawValue) || rawValue.ends(with: "+json") }
}
