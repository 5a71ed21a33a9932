import Foundation

/// A new temporary file, which is deleted together with this object.
final class TemporaryFile: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        // Readable only by this user, because it may contain private data.
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw APIError(.encoding, "cannot create a temporary file in \(url.deletingLastPathComponent().path)") }
    }

    deinit {
        // Nothing uses the file any more; if removal fails, the system clears the folder.
        try? FileManager.default.removeItem(at: url)
    }
}
