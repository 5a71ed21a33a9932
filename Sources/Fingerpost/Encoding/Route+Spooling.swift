import Dispatch
import Foundation

extension Route {
    /// Replaces a form too large for memory by a stream over a temporary file, which lives as long as the route.
    mutating func spoolLargeForm() async throws(APIError) {
        guard case .multipart(let form)? = body else { return }
        let writer = MultipartWriter(form)
        do {
            // Files are copied on a thread that may wait, away from those of the tasks.
            let stream = try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(with: Result { try writer.spooled() }) }
            }
            if let stream { body = .stream(stream) }
        } catch {
            throw (error as? APIError) ?? APIError(.encoding, "the form cannot be written: \(error)", underlying: error)
        }
    }
}
