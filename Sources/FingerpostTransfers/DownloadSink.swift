import FingerpostFiles
import Foundation

/// Writes the body of a successful response to a file. The file appears only when the body is complete.
///
/// With `resuming`, the download resumes where an earlier attempt or an earlier download stopped (RFC 9110 section 14):
///
/// | Response | Effect |
/// |---|---|
/// | 206 with the requested bytes | the bytes are appended |
/// | 206 with other bytes, with a content coding, or perhaps with bytes of another body | the download starts over |
/// | 416 | the download starts over |
/// | any other success, such as 200 because the file has changed | the body is received from its start |
/// | 206, although the request has no range | the call fails |
/// | any other status | the partial file does not change |
///
/// To start over, the client sends the request again without a range, at most once per call. The partial file stays
/// until the response to this request arrives.
final class DownloadSink: ResumingSink {
    private struct State {
        var download: DownloadFile?
        var asked: RangeRequest?
        /// The last request.
        var request: RequestFingerprint?
        /// True if the last response does not continue the partial file, although the request asked for that.
        var isRefused = false
        /// True after the call has started over. From then on, requests have no range.
        var startedOver = false
        /// True if the current response contains the missing bytes.
        var goesOn = false
    }

    private let target: URL
    private let isResuming: Bool
    private let sandbox: DownloadLocation.Sandbox
    private let state = Locked(State())

    /// - Parameters:
    ///   - target: the file to write.
    ///   - resuming: true to resume where an earlier download to the same file stopped.
    ///   - sandbox: the sandbox of this process, which tests can replace.
    init(for target: URL, resuming: Bool, in sandbox: DownloadLocation.Sandbox = .current) {
        (self.target, isResuming, self.sandbox) = (target, resuming, sandbox)
    }

    func prepare() throws {
        let download = try DownloadFile(for: target, resuming: isResuming, in: sandbox)
        state.withLock { $0.download = download }
    }

    /// With `resuming`, requests only the missing bytes if the response would contain the body to which the partial
    /// file belongs.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the request already has a range.
    func adapt(_ request: inout URLRequest, credentials: @autoclosure () -> [Authorization.Header]) throws {
        guard isResuming else { return }
        let credentials = credentials()
        let range = "Range"
        let given = request.value(forHTTPHeaderField: range)
        try state.withLock { state in
            guard given == nil || given == state.asked?.range else {
                throw APIError(
                    .invalidRoute, "the request has the header Range, which a resuming download sets itself",
                    fix: "remove the header, or download without resuming")
            }
            let adapted = RequestFingerprint(
                line: state.request?.line ?? "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")",
                request: request, credentials: credentials)
            let mayGoOn = request.httpMethod ?? "GET" == "GET" && !state.startedOver
            state.request = adapted
            state.isRefused = false
            // If the partial file is complete, request its last byte again, because a range cannot contain zero bytes.
            state.asked = (mayGoOn ? state.download?.kept(of: adapted) : nil).map { kept in
                RangeRequest(whole: kept.whole, start: min(kept.size, kept.whole.size - 1))
            }
        }
        let asked = state.withLock { $0.asked }
        RangeRequest.write(asked, into: &request)
    }

    func startsOver(after result: Outcome) -> Bool {
        state.withLock { state in
            guard state.isRefused, !state.startedOver else { return false }
            state.startedOver = true
            return true
        }
    }

    func begin(_ head: Response<Void>) throws {
        let (download, asked, request) = state.withLock { state in
            state.goesOn = state.asked != nil && head.status == 206
            // This value becomes false when a check has shown that the response continues the partial file. The value
            // is set before the check, because a transport may replace the error that the check throws.
            state.isRefused = state.goesOn || state.asked != nil && head.status == 416
            return (state.download, state.asked, state.request)
        }
        guard head.isSuccess, let download else { return }
        guard isResuming, head.status == 206 else {
            return try download.begin(request.flatMap { DownloadFile.Whole(in: head, to: $0) })
        }
        guard let asked, let request else { throw head.refused("a part of the body, although the whole was asked for") }
        let bytes = try asked.bytes(of: head, to: request)
        state.withLock { $0.isRefused = false }
        try download.goOn(with: bytes)
    }

    /// The number of bytes before the first byte of the current response. Zero if the response contains the full body.
    var kept: Int64 { state.withLock { $0.goesOn ? $0.asked?.start ?? 0 : 0 } }

    func receive(_ bytes: Data) throws { try state.withLock { $0.download }?.append(bytes) }

    /// Returns the received response. If the response completes the partial file, its status becomes 200, as if the
    /// response had the full body (RFC 9110 section 15.3.7.3). The data of a successful response is mapped from the
    /// file.
    func response(_ head: Response<Void>) throws -> Response<Data> {
        let (download, goesOn) = state.withLock { ($0.download, $0.goesOn) }
        let data = try download?.end() ?? Data()
        return Response(goesOn ? head.whole(size: Int64(data.count)) : head, data: data)
    }

    /// Moves the body to the target file.
    func finish(_ response: Response<Data>) throws {
        // Redirects and responses with the status 304 have no body for the file.
        guard response.isSuccess else { return discard() }
        try state.withLock { $0.download }?.become(response.data)
    }

    func discard() { state.withLock { $0.download }?.leave() }
}

extension Response<Void> {
    /// Returns this partial response with the status and the headers that a response with the full body would have.
    fileprivate func whole(size: Int64) -> Response<Void> {
        var headers = headers
        headers["Content-Range"] = nil
        headers[.contentLength] = "\(size)"
        return Response(status: 200, headers: headers, request: request, source: source)
    }
}
