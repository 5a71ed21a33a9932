import Foundation

/// A redirect that is not followed.
struct RedirectRefused: Error {
    let response: Response<Data>
    let reason: String

    init(_ response: Response<Data>, _ reason: String) {
        self.response = response
        self.reason = reason
    }
}

extension APIError {
    init(refused redirect: RedirectRefused) {
        let status = redirect.response.status
        self = APIError(.status(status), "the redirect was not followed: \(redirect.reason)").adding(redirect.response)
    }
}
