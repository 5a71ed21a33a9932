package import Foundation

/// A body that is written before its request is built, such as a form: to memory, or to a file if it is large.
package protocol WrittenBody: CustomStringConvertible, Sendable {
    /// The content type, which no header may replace.
    var contentType: String { get }

    /// The names of the values in the body, and the values; nil for one that is not in memory.
    var fields: [(name: String, value: Data?)] { get }

    /// The whole body in memory.
    ///
    /// - Throws: ``APIError`` of the kind `encoding`.
    func data() throws(APIError) -> Data

    /// The body as a stream that can be opened repeatedly; nil if it fits into memory.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, otherwise ``APIError`` of the kind `encoding`.
    func spooled() async throws -> BodyStream?
}
