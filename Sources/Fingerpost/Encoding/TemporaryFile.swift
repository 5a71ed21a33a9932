import Foundation

/// An empty file that lives as long as this object.
final class TemporaryFile: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        // Only for this user: it may hold what is nobody else's business.
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw APIError(.encoding, "no temporary file can be made in \(url.deletingLastPathComponent().path)") }
    }

    deinit {
        // Nothing depends on it any more; if it stays, the system clears the folder.
        try? FileManager.default.removeItem(at: url)
    }
}
