import FingerpostFiles
import Foundation

/// What a response must not show although it is neither in the response nor in its request: the secrets of the call's
/// environment, and the credentials in the call's other requests and responses. It keeps texts, but no request and no
/// body.
final class CallSecrets: Sendable {
    private let environmentSecrets: @Sendable () -> [(key: String, text: String)]
    private let requestCredentials: [String]
    private let responseCredentials: [String]
    /// Why one of the other requests may contain a secret that is not known.
    private let unsearched: String?
    /// True if the body of the request is a form, which is searched even if it is sent from a file.
    private let isForm: Bool

    /// - Parameters:
    ///   - requests: the credentials in the call's other requests.
    ///   - responses: the credentials in the call's other responses.
    ///   - unsearched: why one of the other requests may contain a secret that is not known; nil if all were searched.
    ///   - isForm: true if the body of the request is a form.
    ///   - environmentSecrets: the secrets of the call's environment. A closure, because few responses are shown.
    init(
        requests: [String], responses: [String], unsearched: String?, isForm: Bool,
        environmentSecrets: @escaping @Sendable () -> [(key: String, text: String)]
    ) {
        (requestCredentials, responseCredentials) = (requests, responses)
        self.unsearched = unsearched
        self.isForm = isForm
        self.environmentSecrets = environmentSecrets
    }

    /// The credentials in all requests of the call.
    func credentials(with request: URLRequest) -> [String] { requestCredentials + Redaction.credentials(of: request) }

    /// Why a request of the call may contain a secret that is not known; nil if all were searched.
    func unsearched(with request: URLRequest) -> String? {
        unsearched ?? (isForm && request.httpBodyStream != nil ? nil : Redaction.unsearched(request))
    }

    /// Removes the secrets from text, and those of one more response and its request.
    func redactor(with response: Response<some Sendable>) -> SecretRedactor {
        SecretRedactor(
            secrets: environmentSecrets(),
            credentials: credentials(with: response.request) + responseCredentials
                + Redaction.credentials(of: response.headers, body: response.data))
    }
}
