import FingerpostFiles
public import Foundation

/// A store that keeps its token in a file that only this user can read, for tools, servers and tests. An app keeps its
/// token in the Keychain, with a ``CredentialStore`` of its own.
///
/// The file contains the token and nothing else. It is replaced in one step, so that other processes read either the old
/// token or the new one. Missing parent folders are created.
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

    package init(_ file: URL, warn: @escaping @Sendable (String) -> Void) {
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
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let path = FilePath.display(file)
        try checkAccess(path)
        let data: Data
        do throws(FileProblem) {
            data = try RegularFile.contents(of: file, path: path) { size throws(FileProblem) in
                if size > Self.maximumSize {
                    throw FileProblem(path: path, message: "the file is too large for a token: \(size) bytes")
                }
            }
        } catch { throw APIError(.authorization, error) }
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
        let new = folder.appendingPathComponent(".\(file.lastPathComponent)-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { unlink(new.path) }
            try NewFile.write(Data(token.utf8), to: new)
            guard rename(new.path, file.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            throw APIError(
                .authorization, "the token cannot be written to \(FilePath.display(file)): \(APIError.text(of: error))")
        }
    }

    /// Removes the token, when the user signs out.
    ///
    /// - Throws: ``APIError`` of the kind `authorization` if the file cannot be removed.
    public func clear() throws {
        guard unlink(file.path) != 0, errno != ENOENT else { return }
        throw APIError(
            .authorization,
            "the token in \(FilePath.display(file)) cannot be removed: \(String(cString: strerror(errno)))")
    }

    /// Whoever may write the file decides as whom the calls are sent.
    private func checkAccess(_ path: String) throws {
        let status: FileStatus
        let isLink: Bool
        do throws(POSIXError) {
            status = try FileStatus(of: file.path)
            isLink = try FileStatus(of: file.path, followsLinks: false).kind == .link
        } catch { throw APIError(.authorization, "\(path) cannot be read: \(APIError.text(of: error))") }
        if status.othersMayWrite {
            throw APIError(
                .authorization, "other users may write \(path), so it may contain a token of somebody else",
                fix: "let this user alone write it, such as with chmod 600")
        }
        guard isLink || status.othersMayRead else { return }
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        guard isFirst else { return }
        warn(
            isLink
                ? "\(path), which contains a token, is a link" : "other users may read \(path), which contains a token")
    }
}
