import FingerpostFiles
import Foundation

/// The character encodings that text is read in: those that services declare besides UTF-8, and that every platform
/// reads alike.
enum Charset {
    /// Their names by the IANA registry, with what else servers write, in lower case and without `-`, `_` and spaces.
    private static let known: [(name: String, aliases: [String], encoding: String.Encoding)] = [
        ("UTF-8", ["utf8", "unicode11utf8"], .utf8),
        ("UTF-16", ["utf16", "ucs2", "iso10646ucs2", "unicode", "csunicode"], .utf16),
        ("UTF-16LE", ["utf16le", "ucs2le"], .utf16LittleEndian),
        ("UTF-16BE", ["utf16be", "ucs2be"], .utf16BigEndian),
        ("US-ASCII", ["usascii", "ascii", "ansix3.41968", "iso646us", "us", "cp367"], .ascii),
        (
            "ISO-8859-1", ["iso88591", "iso88591:1987", "latin1", "isolatin1", "l1", "cp819", "ibm819", "isoir100"],
            .isoLatin1
        ),
        // The number of Core Foundation, which has no name in Foundation.
        ("ISO-8859-15", ["iso885915", "latin9", "l9", "isolatin9"], String.Encoding(rawValue: 0x8000_020F)),
        ("windows-1252", ["windows1252", "cp1252", "xcp1252", "win1252", "msansi"], .windowsCP1252),
    ]

    /// The text of a body, in the charset that its `Content-Type` declares. Without one it is UTF-8, or UTF-16 after a
    /// byte order mark of it. The mark itself is not part of the text.
    ///
    /// - Throws: `DecodingError` that names the charset.
    static func text(of data: Data, contentType: String?) throws(DecodingError) -> String {
        let declared = contentType.flatMap { MediaType(contentType: $0).charset }
        let isMarked = declared == nil && (data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]))
        let alias = (declared ?? (isMarked ? "utf16" : "utf8")).lowercased()
            .filter { !($0.utf8.first ?? 0).isOne(of: "-_ '") }
        guard let charset = known.first(where: { $0.aliases.contains { $0.isSame(as: alias) } }) else {
            let names = known.map(\.name).joined(separator: ", ")
            throw DecodingError(
                body: "the body is text in the charset \((declared ?? "").quoted), and a String is read from \(names)")
        }
        // Without a mark, the byte with the higher value comes first (RFC 2781 section 4.3).
        let utf16 = data.starts(with: [0xFF, 0xFE]) ? String.Encoding.utf16LittleEndian : .utf16BigEndian
        guard let text = String(data: data, encoding: charset.encoding == .utf16 ? utf16 : charset.encoding) else {
            throw DecodingError(
                body: "the body is not valid \(charset.name)"
                    + (declared == nil ? "" : ", which its Content-Type declares"))
        }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}

extension DecodingError {
    fileprivate init(body reason: String) {
        self = .dataCorrupted(
            .init(codingPath: [], debugDescription: "\(reason); data(for:) returns its bytes"))
    }
}
