import FingerpostFiles
package import Foundation

extension ResponseReader {
    /// Checks that a response is one that the route expects, or successful: first its status, then the configuration's
    /// `validate`.
    ///
    /// - Throws: ``APIError``, which contains the response, if the status or `validate` rejects the response.
    package func check(_ response: Response<Data>, of route: Route) throws {
        if Self.isExpected(response.status, by: route) { return }
        guard response.isSuccess else {
            let isAimless = Redirects.statuses.contains(response.status) && response.headers[.location] == nil
            throw APIError(
                .status(response.status),
                "the server answered \(response.status)"
                    + (isAimless ? ", a redirect without a Location, which cannot be followed" : ""),
                fix: Self.fix(for: response)
            )
            .adding(response, errorResponse(of: response))
        }
        guard let validate else { return }
        do {
            try validate(response, route)
        } catch {
            throw APIError(refusal: error, status: response.status).adding(response, error as? any ErrorResponse)
        }
    }

    /// The fix for a response that asks for credentials which the library cannot send; nil for any other response.
    private static func fix(for response: Response<Data>) -> String? {
        guard response.status == 401, let challenges = response.headers[.wwwAuthenticate] else { return nil }
        // A challenge begins with its scheme. Some of the parts are parameters of a challenge, which contain no space.
        let schemes = Set(
            challenges.parts(between: ",").map {
                $0.trimmingCharacters(in: .whitespaces).prefix(before: " ").lowercased()
            })
        guard schemes.isSuperset(of: ["digest"]), schemes.isDisjoint(with: ["basic", "bearer"]) else { return nil }
        return """
            the library does not support Digest authentication: let the server accept Basic or Bearer credentials, or \
            send with a transport that answers Digest (on Apple platforms, a URLSessionTransport whose onChallenge \
            returns a credential)
            """
    }

    /// True for a redirect of a route that follows none, and for a 304 to a route that sent its own validator (RFC 9110
    /// section 13.1).
    private static func isExpected(_ status: Int, by route: Route) -> Bool {
        switch status {
        case 304:
            route.redirects == .manual || route.headers.contains(.ifNoneMatch)
                || route.headers.contains(.ifModifiedSince)
        case 300..<400: route.redirects == .manual
        default: false
        }
    }

    /// The body, decoded as the configuration's error type; nil when decoding fails.
    private func errorResponse(of response: Response<Data>) -> (any ErrorResponse)? {
        // A body such as a proxy's HTML page cannot be decoded; the call's error still has the status and the raw body.
        errorResponse.flatMap { try? decoder(for: response).decode($0, from: response.data) }
    }
}

extension APIError {
    /// The error for a response with a success status that `validate` or the wrapper's check rejected.
    init(refusal error: any Error, status: Int) {
        if let error = error as? APIError {
            self = error
        } else {
            let reason = (error as? any LocalizedError)?.errorDescription ?? Self.text(of: error)
            self.init(.status(status), "the response was rejected as invalid: \(reason)", underlying: error)
        }
    }
}
