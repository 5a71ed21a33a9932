import FingerpostFiles
import Foundation

/// Signs a request, and the redirects that stay on the same server. Each request is signed immediately before it is
/// sent.
final class Signing: Sendable {
    private let signers: [any RequestSigner]
    private let origin: Origin?
    private let call: Call
    /// The credentials of the request, except for the signature.
    private let credentials: (added: [Authorization.Header], own: [Authorization.Header])
    private let state = Locked((isAway: false, wantsAgain: false))

    init(_ signers: [any RequestSigner], of request: URLRequest, in call: Call) {
        (self.signers, self.call) = (signers, call)
        origin = request.url.map(Origin.init)
        credentials = call.record.read { ($0.added, $0.own) }
    }

    /// - Throws: ``APIError`` if a signer sends a call with the client whose calls it signs. The signer's call could
    ///   wait forever, because the signed call already counts towards the limit of calls to the host.
    static func checkNoSignerRuns(of sender: Sender) throws(APIError) {
        guard RunningClosure.belongs(to: sender.budget) else { return }
        throw APIError(
            .invalidRoute, "a signer sends a call of the client that it signs for; nothing was sent",
            fix: "send the call with another client, which APIClient.init creates")
    }

    /// Returns true if this request and all earlier requests go to the server that gets the credentials.
    func includes(_ url: URL?) -> Bool {
        state.withLock { state in
            state.isAway = state.isAway || url.map(Origin.init) != origin
            return !state.isAway
        }
    }

    /// Returns a copy of a request with a new signature.
    @inline(never)
    func signed(_ request: URLRequest) async throws -> URLRequest {
        var (signed, signature) = (request, [Authorization.Header]())
        for signer in signers {
            let unsigned = try readable(signed)
            var headers: HTTPHeaders
            do { headers = try await run { try await signer.headers(for: unsigned) } } catch {
                try Task.checkCancellation()
                throw APIError(signing: error)
            }
            // A signer may ignore the cancellation of its task, so check for the cancellation here.
            try Task.checkCancellation()
            headers = try headers.resolved(by: .environment(call.environment))
            try headers.check()
            let new = headers.combined.map { Authorization.Header(name: .init(rawValue: $0.key), value: $0.value) }
            for var header in new where !signature.contains(where: { $0.name == header.name }) {
                // A signature can contain the token, and replace the token's header. If the token has expired, the
                // server rejects the signature, and the client must renew the token.
                header.renewable = credentials.added.first { $0.name == header.name }?.renewable
                signature.append(header)
                signed.setValue(header.value, forHTTPHeaderField: header.name.rawValue)
            }
        }
        let names = signature.map(\.name)
        call.sender.authorizationNames.withLock { $0.formUnion(names) }
        call.record.add(credentials: credentials.added + signature, own: credentials.own)
        return signed
    }

    /// Returns a copy of a request with a body that a signer may read.
    private func readable(_ request: URLRequest) throws(APIError) -> URLRequest {
        guard let sent = request.httpBodyStream else { return request }
        var copy = request
        try call.bodyStream?.open(in: &copy)
        guard let stream = copy.httpBodyStream, stream.original !== sent.original else {
            throw APIError(
                .encoding, "the request cannot be signed, because its body is a stream that can be read only once",
                fix: "send a route whose body is RequestBody.stream with a closure that returns a new stream each "
                    + "time, RequestBody.file or RequestBody.data")
        }
        return copy
    }

    /// True if a signer has requested that the client sends the last request again.
    var wantsAgain: Bool { state.withLock { $0.wantsAgain } }

    /// Passes the outcome of the last request to the signers. Returns true if a signer requests that the client sends
    /// the request again.
    @inline(never)
    func wantsAgain(after outcome: Outcome) async -> Bool {
        var wantsAgain = false
        if let request = call.record.request, let response = Self.response(of: outcome, to: request) {
            for signer in signers where await run({ await signer.signAgain(after: response, to: request) }) {
                wantsAgain = (400..<500).contains(response.status)
            }
            // A transport may have followed redirects itself.
            _ = includes(response.request.url)
        }
        state.withLock { [wantsAgain] in $0.wantsAgain = wantsAgain }
        return wantsAgain
    }

    /// Returns the response with the part of its body that signers may read. Returns nil if there is no response. If
    /// the body ended too early, the outcome is an error that contains the received part of the body.
    private static func response(of outcome: Outcome, to request: URLRequest) -> Response<Data>? {
        switch outcome {
        case .success(let response):
            return response.with(
                body: response.isSuccess ? Data() : Data(response.data.prefix(APIError.maximumBodySize)))
        case .failure(let error):
            guard let error = error as? APIError, let status = error.status else { return nil }
            let body = status.isSuccessStatus ? nil : error.body
            return Response(status: status, headers: error.headers, data: body ?? Data(), request: request)
        }
    }

    /// Runs a signer. Calls that the signer sends use the environment of the signed call.
    private func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        call.pause(for: .step("the client's signer"))
        defer { call.goOn() }
        // A client and its copies share one budget, so the budget identifies the client and its copies.
        return try await RunningClosure.run(of: call.sender.budget) {
            try await Authorization.pinning(call.environment, body)
        }
    }
}

extension APIError {
    /// The error of a call whose signer throws an error.
    fileprivate init(signing cause: any Error) {
        let error = APIError(transport: cause)
        self.init(
            .authorization, "the request could not be signed: \(error.message)", fix: error.fix, underlying: cause)
    }
}
