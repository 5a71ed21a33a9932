import Foundation

extension Route {
    /// Replaces a form too large for memory by a stream over a temporary file, which lives as long as the route.
    ///
    /// - Parameter timeout: the time for the whole call.
    /// - Returns: how long it took.
    mutating func spoolLargeForm(within timeout: Duration) async throws(APIError) -> Duration {
        guard case .multipart(let form)? = body else { return .zero }
        let start = ContinuousClock.now
        let writer = MultipartWriter(form)
        do {
            guard try writer.isLarge, timeout > .zero else { return .zero }
            body = .stream(try await Deadline.run(timeout) { try await writer.spooled() })
        } catch let error as APIError {
            throw error
        } catch is CancellationError {
            throw APIError(.cancelled, "the task was cancelled while its form was written")
        } catch {
            throw APIError(.encoding, "the form cannot be written: \(error)", underlying: error)
        }
        return ContinuousClock.now - start
    }
}
