import Foundation

/// A new temporary file. The file is deleted when this object is deallocated.
final class TemporaryFile: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        // Only this user may read the file, because it may contain private data.
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw APIError(.encoding, "cannot create a temporary file in \(url.deletingLastPathComponent().path)") }
    }

    deinit {
        // The file is no longer used. If the file cannot be deleted, the system deletes it when it clears the temporary
        // folder.
        try? FileManager.default.removeItem(at: url)
    }
}
