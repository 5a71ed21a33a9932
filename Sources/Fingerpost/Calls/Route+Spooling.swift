import Foundation

extension Route {
    /// Replaces a form too large for memory by a stream over a temporary file, which lives as long as the route.
    ///
    /// - Parameters:
    ///   - time: when the time for the whole call is over.
    ///   - timeout: how long that is since the call began, for the error.
    mutating func spoolLargeForm(
        by deadlines: Deadlines, until time: ContinuousClock.Instant, _ timeout: Duration
    ) async throws(APIError) {
        guard case .multipart(let form)? = body else { return }
        let writer = MultipartWriter(form)
        do {
            guard try writer.isLarge else { return }
            body = .stream(try await deadlines.run(until: time, timeout) { try await writer.spooled() })
        } catch let error as APIError {
            throw error
        } catch is CancellationError {
            throw APIError(.cancelled, "the task was cancelled while its form was written")
        } catch {
            throw APIError(.encoding, "the form cannot be written: \(error)", underlying: error)
        }
    }
}
