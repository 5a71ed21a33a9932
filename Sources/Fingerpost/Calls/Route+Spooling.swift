import Foundation

extension Route {
    /// A form too large for memory, as a stream over a temporary file, which lives as long as the stream; nil for any other body.
    ///
    /// - Parameters:
    ///   - time: when the time for the whole call is over.
    ///   - timeout: how long that is since the call began, for the error.
    func spooledForm(
        by deadlines: Deadlines, until time: ContinuousClock.Instant, _ timeout: Duration
    ) async throws(APIError) -> BodyStream? {
        guard case .multipart(let form)? = body else { return nil }
        let writer = MultipartWriter(form)
        do {
            guard try writer.isLarge else { return nil }
            return try await deadlines.run(until: time, timeout) { try await writer.spooled() }
        } catch let error as APIError {
            throw error
        } catch is CancellationError {
            throw APIError(.cancelled, "the task was cancelled while its form was written")
        } catch {
            throw APIError(.encoding, "the form cannot be written: \(error)", underlying: error)
        }
    }

    /// The stream of the body, where it is one.
    var bodyStream: BodyStream? {
        if case .stream(let stream)? = body { stream } else { nil }
    }
}
