import FingerpostFiles
import Foundation

/// Writes the body of a successful response to a file, which appears whole or not at all.
///
/// With `resuming`, the download resumes where an earlier attempt or an earlier download stopped (RFC 9110 section 14):
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
final class DownloadSink: ResumingSink {
    private struct State {
        var download: DownloadFile?
        var asked: RangeRequest?
        /// The last request.
        var request: RequestFingerprint?
        /// True if the last response does not continue the part.
        var isRefused = false
        /// True once the call has started over. Then it asks for no part any more.
        var startedOver = false
        /// True if the response brings the rest of the part.
        var goesOn = false
    }

    private let target: URL
    private let isResuming: Bool
    private let sandbox: DownloadLocation.Sandbox
    private let state = Locked(State())

    /// - Parameters:
    ///   - target: the file to write.
    ///   - resuming: true to resume where an earlier download to the same file stopped.
    ///   - sandbox: what this process may do beside the target. Tests choose it.
    init(for target: URL, resuming: Bool, in sandbox: DownloadLocation.Sandbox = .current) {
        (self.target, isResuming, self.sandbox) = (target, resuming, sandbox)
    }

    func prepare() throws {
        let download = try DownloadFile(for: target, resuming: isResuming, in: sandbox)
        state.withLock { $0.download = download }
    }

    /// With `resuming`, asks for the bytes that are missing, if the server can tell that they belong to the same whole.
    ///
    /// - Throws: ``/Fingerpost/APIError`` if the request asks for a part itself.
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
            // Of a part that is complete, the last byte is asked for again, because no server sends zero bytes.
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
            // Unless it turns out to continue the part. A transport may throw another error in the place of the sink's.
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

    /// How many bytes of the body an earlier response brought, if the one that has begun brings the rest.
    var kept: Int64 { state.withLock { $0.goesOn ? $0.asked?.start ?? 0 : 0 } }

    func receive(_ bytes: Data) throws { try state.withLock { $0.download }?.append(bytes) }

    /// The received response. A part, joined with what was kept, is a whole response with the status 200 (RFC 9110
    /// section 15.3.7.3). The data of a successful response is the file, mapped into memory.
    func response(_ head: Response<Void>) throws -> Response<Data> {
        let (download, goesOn) = state.withLock { ($0.download, $0.goesOn) }
        let data = try download?.end() ?? Data()
        return Response(goesOn ? head.whole(size: Int64(data.count)) : head, data: data)
    }

    /// Moves the body to the target file.
    func finish(_ response: Response<Data>) throws {
        // Redirects and a 304 have no body for the file.
        guard response.isSuccess else { return discard() }
        try state.withLock { $0.download }?.become(response.data)
    }

    func discard() { state.withLock { $0.download }?.leave() }
}

extension Response<Void> {
    /// This response to a request for a part, as one to a request for the whole.
    fileprivate func whole(size: Int64) -> Response<Void> {
        var headers = headers
        headers["Content-Range"] = nil
        headers[.contentLength] = "\(size)"
        return Response(status: 200, headers: headers, request: request, source: source)
    }
}
