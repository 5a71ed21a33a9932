public import Foundation

/// Signs each request as it is sent. Set a signer with ``Authorization/signing(_:)-(RequestSigner)``.
///
/// ```swift
/// configuration.authorization = .signing { request in
///     ["X-Signature": try signature(of: request)]
/// }
/// ```
///
/// Each attempt, each retry and each redirect on the same server has a new signature. A redirect to another server has
/// none, and neither has any request after it. The headers of a signature are credentials: errors, logs and recordings
/// hide their values. The route's ``AuthorizationPolicy`` applies, and a signer satisfies
/// ``AuthorizationPolicy/required``, even while it adds no header.
///
/// - The request is complete, and has the token of the client. `URLSession` adds only `Host`, `Content-Length`,
///   `User-Agent`, `Accept-Language`, `Accept-Encoding` and cookies later: read the host from the URL.
/// - The body is in `httpBody`, or else, such as that of a file, in `httpBodyStream`: open this stream and read it to
///   its end. The client sends another stream. A body that can be read only once fails the call.
/// - A signer that learns from responses is an actor or a class, because many calls use it at once.
/// - A call that a signer sends with the same client, or a copy of it, fails, because the call that is signed has taken
///   its place among ``ClientConfiguration/maximumCallsPerHost``. Use another client.
/// - Calls that mocks answer are signed too.
public protocol RequestSigner: Sendable {
    /// Returns the headers for exactly this request. They replace headers of the same name, also that of the token,
    /// which is still refreshed.
    ///
    /// - Parameter request: the request as it is sent. Its method, URL, headers and body are complete.
    /// - Throws: any error. The call fails with the kind `authorization`, and the request is not sent.
    func headers(for request: URLRequest) async throws -> HTTPHeaders

    /// Hears every response to a request with this signature, also redirects and successes. Returns true to sign the
    /// request and send it once more; by default, returns false.
    ///
    /// The client sends a request once more only after a status of 400 to 499, once for each redirect and each attempt,
    /// and twice for a call. After true, the client does not refresh the token.
    ///
    /// - Parameters:
    ///   - response: the response. Its body is empty if it is a success, and otherwise has its first 64 KiB.
    ///   - request: the request with its signature.
    func signAgain(after response: Response<Data>, to request: URLRequest) async -> Bool
}

extension RequestSigner {
    public func signAgain(after response: Response<Data>, to request: URLRequest) async -> Bool { false }
}

struct ClosureSigner: RequestSigner {
    let sign: @Sendable (URLRequest) async throws -> HTTPHeaders

    func headers(for request: URLRequest) async throws -> HTTPHeaders { try await sign(request) }
}

struct SigningCredentials: CredentialSource {
    let signer: any RequestSigner

    func credentials(in environment: Environment?, areWithheld: Bool) -> Authorization.Credentials {
        areWithheld ? .init(isIncomplete: true) : .init(signers: [signer])
    }
}
