public import Foundation

/// Signs each request when it is sent. Set a signer with ``Authorization/signing(_:)-(RequestSigner)``.
///
/// ```swift
/// configuration.authorization = .signing { request in
///     ["X-Signature": try signature(of: request)]
/// }
/// ```
///
/// Each attempt, each retry and each redirect on the same server gets a new signature. After a redirect to another
/// server, requests are unsigned. The headers of a signature are credentials: errors, logs and recordings hide their
/// values. The route's ``AuthorizationPolicy`` applies. A signer satisfies ``AuthorizationPolicy/required``, even if it
/// adds no header.
///
/// - The request is complete and contains the client's token. `URLSession` adds only `Host`, `Content-Length`,
///   `User-Agent`, `Accept-Language`, `Accept-Encoding` and cookies later, so read the host from the URL.
/// - The body is in `httpBody`. The body of a file or a stream is in `httpBodyStream`: open this stream and read it to
///   its end. The client sends the request with a new stream. If a body can be read only once, the call fails.
/// - If a signer stores values from responses, write an actor or a class, because concurrent calls share the signer.
/// - A signer must send its own calls with another client. The client whose calls it signs, and the copies of that
///   client, refuse the signer's calls, because the signed call already counts towards
///   ``ClientConfiguration/maximumCallsPerHost``.
/// - Calls that mocks answer are signed too.
public protocol RequestSigner: Sendable {
    /// Returns the headers for exactly this request. The returned headers replace the request's headers with the same
    /// names. If the signature replaces the header of the token, the client still refreshes the token.
    ///
    /// - Parameter request: the request as it is sent. Its method, URL, headers and body are complete.
    /// - Throws: any error. The call fails with the kind `authorization`, and the request is not sent.
    func headers(for request: URLRequest) async throws -> HTTPHeaders

    /// Receives every response to a request with this signature, including redirects and successes. Returns true to
    /// sign the request and send it again. By default, this method returns false.
    ///
    /// The client sends a request again only after a status of 400 to 499, once for each redirect and each attempt, and
    /// at most twice in a call. If a signer returns true, the client does not refresh the token.
    ///
    /// - Parameters:
    ///   - response: the response. The body of a successful response is empty. Any other body contains at most the
    ///     first 64 KiB.
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
