import Fingerpost
import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// The credentials in what a call has sent and received so far, for a recording of it.
struct SentSecrets {
    /// The credentials in all requests and responses of the call, and in the client's configuration.
    private(set) var credentials: [String] = []
    /// Why a request may contain a secret that is not known; nil if all were searched.
    private(set) var unsearchedRequest: String?

    /// - Parameters:
    ///   - call: the record of the call; nil for a response that no client received.
    ///   - request: the request of the response.
    init(_ call: CallRecord?, _ request: URLRequest? = nil) {
        let evidence = call?.evidence
        let requests = (request.map { [$0] } ?? []) + (evidence?.requests ?? [])
        let bodies =
            evidence?.responses.map { BodyCredentials(response: $0.body, type: $0.headers[.contentType]) } ?? []
        credentials = requests.flatMap(Credentials.of) + (evidence?.credentials ?? [])
        credentials += (evidence?.responses ?? []).flatMap { Credentials.of($0.headers) } + bodies.flatMap(\.found)
        let form = call?.route.writtenBody
        if form != nil || requests.isEmpty { credentials += call?.route.credentials ?? [] }
        if form?.fields.contains(where: { $0.value == nil && SensitiveName.isPassword($0.name) }) == true {
            unsearchedRequest = "the request's body has a file under the name of a secret"
        } else {
            // The form knows the fields of a body that is streamed from it.
            unsearchedRequest =
                requests.filter { form == nil || $0.httpBodyStream == nil }.lazy
                .compactMap(Credentials.unsearched).first
        }
    }
}

extension Response {
    /// The credentials in what led to the response.
    var sentSecrets: SentSecrets { SentSecrets(call as? CallRecord, request) }
}
