import FingerpostFiles
public import Foundation

/// A store that keeps its token in a file that only this user can read, for tools, servers and tests. An app keeps its
/// token in the Keychain, with a ``CredentialStore`` of its own.
///
/// The file contains the token and nothing else. It is replaced in one step, so that other processes read either the
/// old token or the new one. Missing parent folders are created.
public final class FileCredentialStore: CredentialStore {
    private let file: URL
    private let warn: @Sendable (String) -> Void
    private let hasWarned = Locked(false)
    /// The size of the largest token, in bytes.
    private static let maximumSize = 1 << 20

    /// - Parameter file: the file. It need not exist before the user signs in.
    public convenience init(_ file: URL) {
        self.init(file, warn: StandardError.warn)
    }

    init(_ file: URL, warn: @escaping @Sendable (String) -> Void) {
        self.file = file
        self.warn = warn
    }

    /// The token; nil while nobody is signed in. Spaces and line breaks around it do not count.
    ///
    /// A file that other users may read, or that is a link, is read with a warning on standard error, once: a secret
    /// that is mounted into a container is both.
    ///
    /// - Throws: ``APIError`` of the kind `authorization` if the file cannot be read, is not text, or is one that other
    ///   users may write.
    public func token() throws -> String? {
        let path = FilePath.display(file)
        guard let data = try contents(path) else { return nil }
        guard let text = String(data: data, encoding: .utf8) else {
            throw APIError(.authorization, "\(path) is not text in UTF-8", fix: "delete it, and sign in again")
        }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }

    /// Replaces the token.
    ///
    /// - Throws: ``APIError`` of the kind `authorization` if the file cannot be written, or if the token has more than
    ///   1 MiB. The old token is kept then.
    public func save(_ token: String) throws {
        guard token.utf8.count <= Self.maximumSize else {
            throw APIError(
                .authorization, "the token is too large to be kept: \(token.utf8.count) bytes",
                fix: "save the token alone, without the response that contained it")
        }
        let folder = file.deletingLastPathComponent()
        let new = folder.appendingPathComponent(newFilePrefix + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try NewFile.replace(file, with: Data(token.utf8), by: new)
        } catch {
            throw APIError(
                .authorization, "the token cannot be written to \(FilePath.display(file)): \(APIError.text(of: error))")
        }
    }

    /// Removes the token, when the user signs out, and what a process has left that ended while it saved one.
    ///
    /// - Throws: ``APIError`` of the kind `authorization` if a file cannot be removed.
    public func clear() throws {
        try remove(file)
        let folder = file.deletingLastPathComponent()
        // A folder that cannot be listed is one that this store has not written into.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.begins(with: newFilePrefix) {
            // Another store's file may have a name that begins in the same way.
            let id = Substring(name.utf8.dropFirst(newFilePrefix.utf8.count))
            guard UUID(uuidString: String(id)) != nil else { continue }
            try remove(folder.appendingPathComponent(name))
        }
    }

    /// How the names of files begin that contain a token until it is saved.
    private var newFilePrefix: String { ".\(file.lastPathComponent)-" }

    private func remove(_ file: URL) throws {
        guard unlink(file.path) != 0, errno != ENOENT else { return }
        throw APIError(
            .authorization,
            "the token in \(FilePath.display(file)) cannot be removed: \(String(cString: strerror(errno)))")
    }

    /// The bytes of the file; nil if there is none.
    private func contents(_ path: String) throws -> Data? {
        while let version = try checkedVersion(path) {
            do throws(FileProblem) {
                return try RegularFile.contents(of: file, path: path, version: version) { size throws(FileProblem) in
                    if size > Self.maximumSize {
                        throw FileProblem(path: path, message: "the file is too large for a token: \(size) bytes")
                    }
                }
            } catch {
                // Another process may have replaced or removed the file since its access was checked. The new one, or
                // why there is none, is found the next time.
                if (try? FileStatus(of: file.path))?.version == version { throw APIError(.authorization, error) }
            }
        }
        return nil
    }

    /// The version of the file, if this user alone may write it; nil if there is none. Whoever may write the file
    /// decides as whom the calls are sent.
    private func checkedVersion(_ path: String) throws -> FileStatus.Version? {
        let status: FileStatus
        do throws(POSIXError) { status = try FileStatus(of: file.path) } catch {
            if error.code == .ENOENT || error.code == .ENOTDIR { return nil }
            throw APIError(.authorization, "\(path) cannot be read: \(APIError.text(of: error))")
        }
        // A file that is gone meanwhile is no link.
        let isLink = (try? FileStatus(of: file.path, followsLinks: false))?.kind == .link
        if status.othersMayWrite {
            throw APIError(
                .authorization, "other users may write \(path), so it may contain a token of somebody else",
                fix: "let this user alone write it, such as with chmod 600")
        }
        guard isLink || status.othersMayRead else { return status.version }
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst {
            warn(
                isLink
                    ? "\(path), which contains a token, is a link"
                    : "other users may read \(path), which contains a token")
        }
        return status.version
    }
}
