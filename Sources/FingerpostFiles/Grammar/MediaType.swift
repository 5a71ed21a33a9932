import Foundation

/// A media type (RFC 9110 section 8.3.1).
package struct MediaType: Sendable {
    /// The type and subtype: `image/png`.
    package let rawValue: String

    /// The parameter `charset`, without quotes; nil if there is none (RFC 9110 section 8.3.2).
    package let charset: String?

    /// The media type of a `Content-Type`, in lower case and without parameters, as in `text/html; charset=utf-8`.
    ///
    /// Proxies can send several types. The last valid type applies (section 8.3). If the last type names no charset,
    /// the charset comes from an earlier equal type (Fetch, "extract a MIME type").
    package init(contentType: String) {
        var (type, charset) = ("", String?.none)
        for member in contentType.contains(bytesOf: ",") ? HTTPSyntax.members(of: contentType) : [contentType[...]] {
            let name = member.prefix(before: ";")
            let essence = name.trimmingCharacters(in: .whitespaces).lowercased()
            let isValid = { essence.parts(between: "/").map { HTTPSyntax.isToken(String($0)) } == [true, true] }
            guard type.isEmpty || isValid() && essence != "*/*" else { continue }
            var (rest, declared) = (member[name.endIndex...], String?.none)
            while declared == nil, let (name, value) = HTTPSyntax.parameter(in: &rest) {
                if name == "charset" { declared = value }
            }
            (type, charset) = (essence, declared ?? (essence.isSame(as: type) ? charset : nil))
        }
        (rawValue, self.charset) = (type, charset)
    }

    /// True for JSON, and for a format that is written in JSON (RFC 6839 section 3.1).
    package var isJSON: Bool { ["application/json", "text/json"].contains(rawValue) || rawValue.ends(with: "+json") }
}
