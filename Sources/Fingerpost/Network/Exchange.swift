import FingerpostFiles
import Foundation

/// One request that `URLSession` sends: the transfer of its response, and the caller that waits for the response.
final class Exchange: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var task: URLSessionTask?
        /// True after the exchange has ended or was cancelled. While this is true, no task may start.
        var isOver = false
        #if !canImport(FoundationNetworking)
            var bodyFailure: APIError?
        #endif
    }

    private let request: URLRequest
    private let transfer: Transfer
    private let state = Locked(State())

    init(_ request: URLRequest, into sink: any BodySink) {
        self.request = request
        transfer = sink as? Transfer ?? Transfer(sink)
        transfer.start()
    }

    /// Stores the caller that waits for the response. Returns false when the exchange was already cancelled.
    func begin(_ caller: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            if !state.isOver { state.continuation = caller }
            return !state.isOver
        }
    }

    /// Stores the task that sends the request. Returns false when the exchange was already cancelled.
    func begin(_ task: URLSessionTask) -> Bool {
        state.withLock { state in
            if !state.isOver { state.task = task }
            return !state.isOver
        }
    }

    /// The task that sends the request; nil before it starts.
    var task: URLSessionTask? { state.withLock { $0.task } }

    /// Passes a response head to the sink. Heads of interim responses (100...199) may come before the final head.
    ///
    /// - Throws: the sink's error.
    func receive(_ response: URLResponse?) throws {
        guard let response = response as? HTTPURLResponse else { return }
        try transfer.begin(Response(status: response.statusCode, headers: HTTPHeaders(response), request: request))
    }

    /// Passes the response of an authentication challenge to the sink, unless the session has already reported the head
    /// of this response. If the sink received the head twice, it would discard the body received so far.
    func receive(challenged response: URLResponse?) throws {
        if status.map({ $0 < 200 }) ?? true { try receive(response) }
    }

    /// Passes bytes of the body to the sink.
    ///
    /// - Throws: the sink's error.
    func receive(_ data: Data) throws {
        try transfer.receive(data)
        #if !canImport(FoundationNetworking)
            // Foundation on Linux cannot pause a task: if a task is suspended while its response arrives, the task
            // sends a second request when it is resumed. On other platforms, bytes may still arrive after `suspend`, so
            // the reader's buffer has a limit.
            if let pace = transfer.pace, pace.isFull, let task {
                task.suspend()
                if !pace.hold({ task.resume() }) { task.resume() }
            }
        #endif
    }

    /// Notifies the sink that a part of the request's body has been sent.
    ///
    /// - Parameter total: the number of bytes of the body that have been sent.
    func sent(_ total: Int64) {
        #if !canImport(FoundationNetworking)
            // When the whole body has been sent, check its file immediately, because the file may change later.
            if let length = request.bodyLength, total >= length.bytes,
                let failure = total > length.bytes ? length.changed : request.bodyFailure
            {
                state.withLock { $0.bodyFailure = failure }
            }
        #endif
        transfer.note(.sent(total))
    }

    /// The error for a request body whose length differs from the announced one; nil if the length is right.
    private var bodyFailure: APIError? {
        #if canImport(FoundationNetworking)
            request.bodyFailure
        #else
            state.withLock { $0.bodyFailure }
        #endif
    }

    /// Notifies the sink that the session waits for a connection to the internet.
    func waitForConnection() { transfer.note(.waitsForConnection) }

    /// Ends the exchange when its task ends.
    ///
    /// - Parameter last: the task's final response. For a redirect without a `Location`, the final response is the only
    ///   response that Foundation on Linux reports.
    func complete(_ error: (any Error)?, _ last: URLResponse?) {
        end(
            Result {
                if let error, !isRefusedChallenge(error, last) {
                    let isLost = error.isLostInBody || (error as? URLError)?.code == .networkConnectionLost
                    if let failure = isLost ? bodyFailure ?? request.bodyFailure : bodyFailure { throw failure }
                    throw error.isLostInBody ? URLError(.networkConnectionLost) : error
                }
                if status == nil { try receive(last) }
                guard let head = transfer.head else { throw URLError(.badServerResponse) }
                if head.isSuccess, let failure = bodyFailure { throw failure }
                if error == nil { try checkLength(of: head, transfer.received ?? 0) }
            })
    }

    private var status: Int? { transfer.head?.status }

    /// Checks that the body is as long as its `Content-Length` (RFC 9112 section 6.3). Foundation on Linux ignores a
    /// length of more than 64 bits.
    private func checkLength(of head: Response<Void>, _ received: Int64) throws(APIError) {
        guard head.promisesLength, let length = head.headers[.contentLength] else { return }
        // Most lengths consist of one number.
        if length.hasOnly(\.isASCIIDigit), let size = Int64(length), size <= received { return }
        let lengths = head.lengths
        guard let digits = lengths.first, lengths.count == 1, !digits.isEmpty,
            digits.hasOnly(\.isASCIIDigit)
        else {
            throw APIError(.transport, "the Content-Length \(length.quoted) is not a number of bytes").adding(
                Response(head, data: Data()))
        }
        // A length that does not fit into an integer is larger than every body.
        guard Int64(digits).map({ $0 > received }) ?? true else { return }
        throw APIError(.transport, "the body ended after \(received) of \(digits) bytes").adding(
            Response(head, data: Data()))
    }

    /// Prevents the task from starting. A call of ``end(_:)`` must follow.
    func close() { state.withLock { $0.isOver = true } }

    /// Resumes the caller that waits for the response. Calling this method again has no effect.
    func end(_ result: Result<Void, any Error>) {
        let caller = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        caller?.resume(with: result)
    }

    /// True for the "cancelled" error that ends a 401 or 407 response whose challenge was declined. Despite this error,
    /// the 401 or 407 response is complete.
    private func isRefusedChallenge(_ error: any Error, _ last: URLResponse?) -> Bool {
        guard let status = status ?? (last as? HTTPURLResponse)?.statusCode, status == 401 || status == 407 else {
            return false
        }
        let code = (error as? URLError)?.code
        return code == .cancelled || code == .userCancelledAuthentication
    }
}

extension Error {
    /// True if the connection ended in the middle of the body. Foundation on Linux has no code for this error, so the
    /// text of libcurl's error identifies it (`CURLE_PARTIAL_FILE`).
    fileprivate var isLostInBody: Bool {
        guard let error = self as? URLError, error.code == .unknown else { return false }
        return error.localizedDescription.hasPrefix("transfer closed with")
    }
}

extension Response {
    /// True if the body is compressed (RFC 9110 section 8.4). `URLSession` decompresses the body.
    package var isCompressed: Bool { headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false }

    /// The values of `Content-Length`. A header that is repeated with the same value is valid.
    package var lengths: Set<String> {
        Set((headers[.contentLength] ?? "").words(between: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// True if `Content-Length` is the number of bytes that a session delivers. The two numbers differ if the body is
    /// decompressed or sent in chunks, or if the response has no body (RFC 9110 section 8.6). The two numbers also
    /// differ for redirects, because Foundation on Linux drops the bodies of redirects.
    fileprivate var promisesLength: Bool {
        guard status >= 200, status != 204, !(300..<400).contains(status) else { return false }
        if request.httpMethod?.uppercased() == "HEAD" { return false }
        return !isCompressed && !headers.contains(.transferEncoding)
    }
}

extension HTTPHeaders {
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(
            response.allHeaderFields.flatMap { name, value -> [Field] in
                guard let name = (name as? String).map(Name.init(rawValue:)) else { return [] }
                let values = name == .setCookie ? Self.setCookieValues(in: "\(value)") : ["\(value)"]
                return values.map { Field(name, $0.withoutPadding) }
            })
    }
}
