import FingerpostFiles
import Foundation

extension MultipartForm {
    /// Writes the form to a temporary file if the form is too large for memory.
    ///
    /// - Parameters:
    ///   - deadline: the deadline of the whole call.
    ///   - timedOut: the error at the deadline.
    /// - Returns: a stream that reads the temporary file, which is deleted together with the stream; nil if the form
    ///   fits into memory.
    func spooled(
        until deadline: Deadline, or timedOut: @escaping @Sendable @autoclosure () -> APIError
    ) async throws(APIError) -> BodyStream? {
        let writer = MultipartWriter(self)
        do {
            guard try writer.isLarge else { return nil }
            return try await deadline.run(or: timedOut()) { try await writer.spooled() }
        } catch {
            throw Self.failure(error)
        }
    }

    // Not inlined: an `async` function contains what follows a wait once for each of its waits.
    @inline(never)
    private static func failure(_ error: any Error) -> APIError {
        if let error = error as? APIError { return error }
        if error is CancellationError {
            return APIError(.cancelled, "the task was cancelled while its form was written")
        }
        return APIError(
            .encoding, "the form cannot be written to a temporary file: \(error.fileReason)",
            fix: "free some space on the disk of \(FileManager.default.temporaryDirectory.path)", underlying: error)
    }
}
