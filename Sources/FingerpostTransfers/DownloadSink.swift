import FingerpostFiles
import Foundation

/// Writes the body of a successful response to a file, which appears whole or not at all. Keeps the body of any other
/// response in memory for the error.
///
/// With `resuming`, the download goes on where an earlier attempt or an earlier download stopped (RFC 9110 section 14):
///
/// | Response | Effect |
/// |---|---|
/// | 206 with the bytes that were asked for | they are appended |
/// | 206 with other bytes, or encoded, or not surely of the same whole | ends at the head, and starts over |
/// | 416 | starts over |
/// | any other success, such as 200 because the file has changed | the body is received from its start |
/// | 206 that was not asked for | an error |
/// | any other | the part is kept |
///
/// To start over, the request is sent once more without asking for a part, at most once in a call. The part is emptied
/// only when the response to that has begun.
final class DownloadSink: CallSink {
    private struct State {
        var download: DownloadFile?
        var head: Response<Void>?
        var asked: RangeRequest?
        /// The last request.
        var request: DownloadIdentity?
        /// True if the last response does not go on with the part.
        var isRefused = false
        /// True once the call has started over.
        var startedOver = false
        /// True until the response begins that starts over.
        var asksForWhole = false

        /// True if the response brings the rest of the part.
        var goesOn: Bool { asked != nil && head?.status == 206 }
    }

    private let target: URL
    private let isResuming: Bool
    private let platform: DownloadPlatform
    private let other: MemorySink
    private let state = Locked(State())

    /// - Parameters:
    ///   - target: the file to write.
    ///   - resuming: true to go on where an earlier download to the same file stopped.
    ///   - maximumErrorSize: the maximum size of the body of a response that is not successful, in bytes.
    ///   - platform: where hidden files may be.
    init(for target: URL, resuming: Bool, maximumErrorSize: Int, on platform: DownloadPlatform) {
        (self.target, isResuming, self.platform) = (target, resuming, platform)
        other = MemorySink(maximumSize: maximumErrorSize)
    }

    func prepare() throws {
        let download = try DownloadFile(for: target, resuming: isResuming, on: platform)
        state.withLock { $0.download = download }
    }

    /// With `resuming`, asks for the bytes that are missing, if the server can tell that they belong to the same whole.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the request asks for a part itself.
    func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) throws {
        guard isResuming else { return }
        let credentials = credentials()
        let range = HTTPHeaders.Name.range.rawValue
        let given = request.value(forHTTPHeaderField: range)
        try state.withLock { state in
            guard given == nil || given == state.asked?.range else {
                throw APIError(
                    .invalidRoute, "the request has the header Range, which a resuming download sets itself",
                    fix: "remove the header, or download without resuming")
            }
            let adapted = DownloadIdentity(
                line: state.request?.line ?? "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")",
                request: request, credentials: credentials)
            let mayGoOn = request.httpMethod ?? "GET" == "GET" && !state.asksForWhole
            state.request = adapted
            state.isRefused = false
            // Of a part that is complete, the last byte is asked for again, because no server sends zero bytes.
            state.asked = (mayGoOn ? state.download?.kept(of: adapted) : nil).map { kept in
                RangeRequest(whole: kept.whole, start: min(kept.size, kept.whole.size - 1))
            }
        }
        let asked = state.withLock { $0.asked }
        RangeRequest.write(asked, into: &request)
    }

    func startsOver(after result: Result<Response<Data>, any Error>) -> Bool {
        state.withLock { state in
            if case .success(let response) = result, response.status == 416, state.asked != nil {
                state.isRefused = true
            }
            guard state.isRefused, !state.startedOver else { return false }
            (state.startedOver, state.asksForWhole) = (true, true)
            return true
        }
    }

    func begin(_ head: Response<Void>) throws {
        let (download, asked, request) = state.withLock { state in
            state.head = head
            return (state.download, state.asked, state.request)
        }
        guard head.isSuccess, let download else { return other.begin(head) }
        guard isResuming, head.status == 206 else {
            try download.begin(request.flatMap { DownloadFile.Whole(of: head, to: $0) })
            state.withLock { $0.asksForWhole = false }
            return
        }
        guard let asked, let request else { throw head.refused("a part of the body, although the whole was asked for") }
        do throws(APIError) { try head.check(asked.whole, from: asked.start, to: request) } catch {
            // A transport may throw another error in its place.
            state.withLock { $0.isRefused = true }
            throw error
        }
        try download.goOn(after: asked.start)
    }

    /// How many bytes of the body an earlier response brought, if the one that has begun brings the rest.
    var kept: Int64 { state.withLock { $0.goesOn ? $0.asked?.start ?? 0 : 0 } }

    func receive(_ bytes: Data) throws {
        if let download = receiving { try download.append(bytes) } else { try other.receive(bytes) }
    }

    /// The received response. A part, joined with what was kept, is a whole response with the status 200 (RFC 9110
    /// section 15.3.7.3). The data of a successful response is the file, mapped into memory.
    func response() throws -> Response<Data> {
        let (head, goesOn) = state.withLock { ($0.head, $0.goesOn) }
        guard let download = receiving, let head else { return try other.response() }
        let data = try download.end()
        return Response(goesOn ? head.whole(size: Int64(data.count)) : head, data: data)
    }

    /// Moves the body to the target file.
    func finish(_ response: Response<Data>) throws {
        // Redirects and a 304 have no body for the file.
        guard response.isSuccess else { return discard() }
        try state.withLock { $0.download }?.become(response.data)
    }

    func discard() { state.withLock { $0.download }?.leave() }

    /// The download while a successful response is being received, else nil.
    private var receiving: DownloadFile? {
        state.withLock { $0.head?.isSuccess == true ? $0.download : nil }
    }
}

extension DownloadFile.Whole {
    /// The whole that a response contains; nil if no later request can go on with it.
    fileprivate init?(of head: Response<Void>, to request: DownloadIdentity) {
        guard head.status == 200, !head.isCompressed, let validator = head.headers.strongValidator,
            let size = head.headers[.contentLength].flatMap({ Int64($0) }), size > 0,
            let varying = request.varying(in: head.headers)
        else { return nil }
        self.init(of: request, varying: varying, from: head.request.url, validator: validator, size: size)
    }
}

extension Response<Void> {
    /// Checks that a part surely belongs to a whole, and that it begins where an earlier part ended.
    fileprivate func check(
        _ whole: DownloadFile.Whole, from start: Int64, to sent: DownloadIdentity
    ) throws(APIError) {
        guard whole.isSent(from: request.url) else { throw refused("a part from another address than what was kept") }
        guard let varying = sent.varying(in: headers), Set(varying).isSubset(of: whole.varying) else {
            throw refused("a part that depends on other headers of the request than what was kept (Vary)")
        }
        if isCompressed { throw refused("a part that is encoded (Content-Encoding)") }
        guard let text = headers[.contentRange] else { throw refused("a part without Content-Range") }
        guard let range = ContentRange(text), let bytes = range.bytes else {
            throw refused("the invalid Content-Range \(text.quoted)")
        }
        guard bytes.lowerBound == start, range.total ?? whole.size == whole.size, bytes.upperBound < whole.size else {
            throw refused(
                "the Content-Range \(text.quoted), although the bytes from \(start) of \(whole.size) were asked for")
        }
        // A 206 has the ETag that a 200 would have, but it need not have the date (RFC 9110 section 15.3.7).
        let isTag = whole.validator.begins(with: "\"")
        guard let validator = headers[isTag ? .etag : .lastModified] else {
            if !isTag, range.total != nil { return }
            throw refused("a part without \(isTag ? "ETag" : "a date or a size"), so it may be of another file")
        }
        guard validator.isSame(as: whole.validator) else {
            throw refused(
                "a part of \(validator.printable), although one of \(whole.validator.printable) was asked for")
        }
    }

    fileprivate func refused(_ what: String) -> APIError {
        APIError(
            .transport, "the server sent \(what)", fix: "correct the server, or download without resuming"
        ).adding(Response<Data>(self, data: Data()))
    }

    /// This response to a request for a part, as one to a request for the whole.
    fileprivate func whole(size: Int64) -> Response<Void> {
        var headers = headers
        headers[.contentRange] = nil
        headers[.contentLength] = "\(size)"
        return Response(status: 200, headers: headers, request: request, source: source)
    }
}
