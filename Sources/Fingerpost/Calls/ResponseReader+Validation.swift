package import Foundation

extension ResponseReader {
    /// Decides whether a response is a success: by its status, then by what the service says.
    package func check(_ response: Response<Data>, of route: Route) throws {
        guard response.isSuccess else {
            throw APIError(.status(response.status), "the server answered \(response.status)")
                .adding(response, errorResponse(of: response))
        }
        guard let validate else { return }
        do {
            try validate(response, route)
        } catch {
            throw APIError(refusal: error, status: response.status).adding(response)
        }
    }

    /// The declared error body; nil where the body is another, which is kept in any case.
    private func errorResponse(of response: Response<Data>) -> (any ErrorResponse)? {
        // A proxy's page, say: the error is the status, and has the body.
        errorResponse.flatMap { try? decoder(for: response).decode($0, from: response.data) }
    }
}

extension APIError {
    /// A service's own code found a response with a good status to be a failure.
    init(refusal error: any Error, status: Int) {
        if let error = error as? APIError {
            self = error
        } else {
            let reason = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
            self.init(.status(status), "the service refused the response: \(reason)", underlying: error)
        }
    }
}
