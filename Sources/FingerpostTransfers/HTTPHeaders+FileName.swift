public import Fingerpost
import FingerpostFiles
import Foundation

extension HTTPHeaders {
    /// The file name that `Content-Disposition` suggests (RFC 6266), without the folders of a path. Nil if the header
    /// is missing or contains no valid name. `filename*` takes precedence. So that a server cannot choose the folder of
    /// a file, the name is never empty, `.` or `..`. The name contains no separators and no control characters, and has
    /// at most 255 bytes.
    ///
    /// ```swift
    /// let name = response.headers.fileName ?? "download"
    /// ```
    public var fileName: String? {
        guard let header = self["Content-Disposition"] else { return nil }
        var rest = header[header.prefix(before: ";").endIndex...]
        var (plain, extended): (String?, String?)
        while let (name, value) = HTTPSyntax.parameter(in: &rest) {
            if name == "filename" { plain = plain ?? value }
            if name == "filename*" { extended = extended ?? value.flatMap(Self.decoded) }
        }
        return extended.flatMap(Self.safe) ?? plain.flatMap(Self.safe)
    }

    /// Decodes an extended value, such as `UTF-8'en'%e2%82%ac` (RFC 8187). Returns nil for another charset and for
    /// invalid bytes.
    private static func decoded(_ value: String) -> String? {
        let parts = value.parts(between: "'")
        return parts.count == 3 && parts[0].lowercased() == "utf-8" ? String(parts[2]).removingPercentEncoding : nil
    }

    private static func safe(_ name: String) -> String? {
        let last = name.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? []
        let kept = last.filter {
            // Invisible characters can disguise the extension.
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        let file = String(String.UnicodeScalarView(kept)).trimmingCharacters(in: .whitespaces)
        return file.isEmpty || file == "." || file == ".." || file.utf8.count > 255 ? nil : file
    }
}
