package import Foundation

/// Counts how often a call has replaced a token that the server rejected. A call can replace a token twice: once
/// because another call has already replaced the token, and once by a refresh. Retries of the call do not reset the
/// count.
struct Renewals {
    private var count = 0
    private var isRefreshed = false

    /// Replaces a token that the server rejected. Returns false if there is no other token to try, or if the request
    /// must not be sent again.
    ///
    /// - Throws: ``APIError`` if the token cannot be replaced; `CancellationError` when the task is cancelled.
    @inline(never)
    mutating func renew(
        _ token: TokenRefresher.Use, after response: Response<Data>, to request: URLRequest, of call: Call
    ) async throws -> Bool {
        guard count < 2, !isRefreshed, call.canBeReopened(request) else { return false }
        // A redirect that changes the method means that the server has processed the request (RFC 9110 section 15.4.4).
        guard response.request.httpMethod == request.httpMethod || call.isRepeatable(request) else {
            call.addNote("not sent again, because the server had processed it and redirected to its result")
            return false
        }
        count += 1
        call.endAttempt(.success(response))
        let renewal: TokenRefresher.Renewal
        do {
            renewal = try await call.refreshing {
                try await token.refresher.renew(token, at: call.deadline.date, by: call.deadline.time)
            }
        } catch let error as APIError { throw error.adding(response) }
        isRefreshed = renewal == .refreshed
        if case .signedIn = renewal {
            call.addNote("not sent again, because another token was stored during the refresh")
            return false
        }
        return renewal != .signedOut
    }
}

extension CallRecord {
    /// Returns true if a response rejects a token that the client can replace. If so, the request is sent again with
    /// another token.
    package func asksForNewToken(_ response: Response<Data>) -> Bool { rejectedToken(by: response) != nil }

    /// Returns the token of the last request if a response says that the token has expired. The app's rule decides
    /// whether a token has expired. If the app has no rule, the status 401 means that the token has expired. Returns
    /// nil if the token cannot be replaced.
    func rejectedToken(by response: Response<Data>) -> TokenRefresher.Use? {
        let (request, credentials) = read { ($0.request, $0.added) }
        // After a redirect to another origin, the last request has no credentials.
        let sent = credentials.first {
            $0.renewable != nil && request?.value(forHTTPHeaderField: $0.name.rawValue) == $0.value
        }?.renewable
        return sent.flatMap { $0.refresher.rule?(response) ?? (response.status == 401) ? $0 : nil }
    }
}
