package import Foundation

/// The bytes of an answer's body.
package struct MockBody: Sendable {
    package let data: Data
    /// The media type; nil if it is not known, and for a body whose type is written as a header.
    package let type: String?
    /// The file that contains the bytes; nil for bytes that do not come from a file.
    package let file: URL?

    package init(data: Data, type: String? = nil, file: URL? = nil) {
        (self.data, self.type, self.file) = (data, type, file)
    }
}
