import Foundation

extension Route {
    /// Writes the route's multipart form to a temporary file if the form is too large for memory.
    ///
    /// - Parameters:
    ///   - time: the deadline of the whole call.
    ///   - timeout: the time from the start of the call to the deadline, for the error message.
    /// - Returns: a stream that reads the temporary file; nil if the route's body was not written to a file. The file
    ///   is deleted together with the stream.
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

    /// The route's body if it is a stream, else nil.
    var bodyStream: BodyStream? {
        if case .stream(let stream)? = body { stream } else { nil }
    }
}
