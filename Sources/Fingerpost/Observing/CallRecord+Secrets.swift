import FingerpostFiles
package import Foundation

extension CallRecord: CallEvidence {
    /// What the call knows of its secrets. Once it is over, these are the environment's, and those of its last request.
    ///
    /// Composed for a text that is shown, and never for a call that succeeds.
    package var secrets: CallSecrets { secrets(facts) }

    package var history: [Attempt] {
        let facts = facts
        let secrets = secrets(facts)
        return facts.history.map { $0.mapTexts(secrets.hide) }
    }

    package var account: String? { read(\.account) }

    func secrets(_ facts: Facts) -> CallSecrets {
        let requests = facts.requests + (facts.answered.map { [$0] } ?? [])
        var credentials = clientCredentials + (requests.isEmpty ? route.credentials : route.formCredentials)
        for request in requests { credentials += Redaction.credentials(of: request) }
        for header in facts.credentials { credentials += Redaction.credentials(inHeader: header.value) }
        for response in facts.received { credentials += Redaction.credentials(of: response.headers) }
        let issued = facts.received.reversed().flatMap { Redaction.issued(in: $0.data) }
        return CallSecrets(environment, credentials: credentials, issued: issued)
    }

    /// What was sent and received, for recordings: the request that was built, the requests that were sent, and the
    /// responses that came, each in order. A body is empty if it went to a file, and if it was read as it arrived.
    package var evidence:
        (requests: [URLRequest], responses: [(headers: HTTPHeaders, body: Data)], credentials: [String])
    {
        let facts = facts
        let added = facts.credentials.flatMap { Redaction.credentials(inHeader: $0.value) }
        return (facts.requests, facts.received.map { ($0.headers, $0.data) }, clientCredentials + added)
    }
}
