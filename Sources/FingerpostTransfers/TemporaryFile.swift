import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// A new temporary file. The file is deleted when this object is deallocated.
final class TemporaryFile: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        do { try NewFile.create(at: url) } catch {
            throw APIError(
                .encoding,
                "cannot create a temporary file in \(url.deletingLastPathComponent().path): \(error.fileReason)")
        }
    }

    deinit {
        // The file is no longer used. If the file cannot be deleted, the system deletes it when it clears the temporary
        // folder.
        try? FileManager.default.removeItem(at: url)
    }
}
