import FingerpostFiles
import Foundation

/// A request for the missing bytes of a download (RFC 9110 section 14).
struct RangeRequest {
    let whole: DownloadFile.Whole
    /// The position of the first requested byte.
    let start: Int64

    var range: String { "bytes=\(start)-" }

    /// Sets the headers that ask for the missing bytes. With these headers, the server sends the full body if the file
    /// has changed. If `asked` is nil, the request asks for the full body.
    static func write(_ asked: RangeRequest?, into request: inout URLRequest) {
        // The bytes of differently compressed bodies cannot be joined.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue(asked?.range, forHTTPHeaderField: "Range")
        request.setValue(asked?.whole.validator, forHTTPHeaderField: "If-Range")
    }

    /// Returns the positions of the bytes in a response with the status 206.
    ///
    /// - Parameter request: the request that the response answers.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the bytes may belong to another body than the
    ///   partial file.
    func bytes(of head: Response<Void>, to request: RequestFingerprint) throws(APIError) -> ClosedRange<Int64> {
        guard whole.isSent(from: head.request.url) else {
            throw head.refused("a part from another address than the part received before")
        }
        guard let varying = request.varying(in: head.headers), Set(varying).isSubset(of: whole.varying) else {
            throw head.refused("a part that depends on other request headers than the part received before (Vary)")
        }
        if head.isCompressed { throw head.refused("a part that is encoded (Content-Encoding)") }
        guard let text = head.headers["Content-Range"] else { throw head.refused("a part without Content-Range") }
        guard let range = ContentRange(text), let bytes = range.bytes else {
            throw head.refused("the invalid Content-Range \(text.quoted)")
        }
        guard bytes.lowerBound == start, range.total ?? whole.size == whole.size, bytes.upperBound < whole.size else {
            throw head.refused(
                "the Content-Range \(text.quoted), although the bytes from \(start) of \(whole.size) were asked for")
        }
        // A 206 contains the ETag that a 200 would contain, but may lack the date (RFC 9110 section 15.3.7).
        let isTag = whole.validator.begins(with: "\"")
        guard let validator = head.headers[isTag ? .etag : "Last-Modified"] else {
            if !isTag, range.total != nil { return bytes }
            throw head.refused("a part without \(isTag ? "ETag" : "a date or a size"), so it may be of another file")
        }
        guard validator.isSame(as: whole.validator) else {
            throw head.refused(
                "a part of \(validator.printable), although one of \(whole.validator.printable) was asked for")
        }
        return bytes
    }
}

extension DownloadFile.Whole {
    /// Creates the description of a response's full body. Returns nil if no later request can resume the download.
    init?(in head: Response<Void>, to request: RequestFingerprint) {
        guard head.status == 200, !head.isCompressed, let validator = head.headers.strongValidator,
            let size = head.headers[.contentLength].flatMap({ Int64($0) }), size > 0,
            let varying = request.varying(in: head.headers)
        else { return nil }
        self.init(of: request, varying: varying, from: head.request.url, validator: validator, size: size)
    }
}

extension Response<Void> {
    /// The error for a response that a download cannot use.
    func refused(_ what: String) -> APIError {
        APIError(
            .transport, "the server sent \(what)", fix: "correct the server, or download without resuming"
        ).adding(Response<Data>(self, data: Data()))
    }
}

extension HTTPHeaders {
    /// The validator that identifies the bytes of a response: a strong `ETag`, or else a `Last-Modified` date. The date
    /// must be at least one minute older than the response, so that the file cannot have changed twice within the
    /// resolution of the date (RFC 9110 section 8.8.2.2). Nil if the response has neither.
    var strongValidator: String? {
        if let tag = self[.etag] { return tag.begins(with: "\"") ? tag : nil }
        guard let modified = self["Last-Modified"], let date = self["Date"] else { return nil }
        let now = Date()
        guard let changed = HTTPDate.date(modified, now: now), let sent = HTTPDate.date(date, now: now),
            sent.timeIntervalSince(changed) >= 60
        else { return nil }
        return modified
    }
}

/// The header `Content-Range` (RFC 9110 section 14.4): the range of the full body's bytes that a response contains.
struct ContentRange: Equatable {
    /// The positions of the first and the last byte. Nil if the response contains no bytes, as with the status 416.
    let bytes: ClosedRange<Int64>?
    /// The size of the full body in bytes. Nil if the server does not know the size.
    let total: Int64?

    /// - Parameter text: the value of the header. The result is nil for an invalid value, for a unit other than bytes,
    ///   and for numbers of more than 64 bits.
    init?(_ text: String) {
        guard let (unit, range) = text.cut(at: " "), unit.lowercased() == "bytes",
            let (positions, size) = range.cut(at: "/")
        else { return nil }
        if size == "*" {
            total = nil
        } else {
            guard let number = Int64(digits: size) else { return nil }
            total = number
        }
        if positions == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        guard let (first, last) = positions.cut(at: "-"), let first = Int64(digits: first),
            let last = Int64(digits: last), first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }
}
