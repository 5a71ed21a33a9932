import FingerpostFiles
import Foundation

/// The bytes of a download that are missing (RFC 9110 section 14).
struct RangeRequest {
    let whole: DownloadFile.Whole
    /// The position of the first byte.
    let start: Int64

    var range: String { "bytes=\(start)-" }

    /// Asks for these bytes, on the condition that they belong to the same whole, or for the whole.
    static func write(_ asked: RangeRequest?, into request: inout URLRequest) {
        // The parts of a compressed body cannot be joined.
        request.setValue("identity", forHTTPHeaderField: HTTPHeaders.Name.acceptEncoding.rawValue)
        request.setValue(asked?.range, forHTTPHeaderField: HTTPHeaders.Name.range.rawValue)
        request.setValue(asked?.whole.validator, forHTTPHeaderField: HTTPHeaders.Name.ifRange.rawValue)
    }
}

extension HTTPHeaders {
    /// The validator that identifies the bytes of a response: a strong `ETag`, or else a `Last-Modified` date that is
    /// at least a minute before the response, so that the file cannot have changed twice within it (RFC 9110 section
    /// 8.8.2.2). Nil if there is neither.
    var strongValidator: String? {
        if let tag = self[.etag] { return tag.begins(with: "\"") ? tag : nil }
        guard let modified = self[.lastModified], let date = self[.date] else { return nil }
        let now = Date()
        guard let changed = HTTPDate.date(modified, now: now), let sent = HTTPDate.date(date, now: now),
            sent.timeIntervalSince(changed) >= 60
        else { return nil }
        return modified
    }
}
