import FingerpostFiles
public import Foundation

/// A store that keeps its token in a file that only this user can read, for tools, servers and tests. An app keeps its
/// token in the Keychain, with a ``CredentialStore`` of its own.
///
/// The file contains the token and nothing else. It is replaced in one step, so that other processes read either the old
/// token or the new one. Missing parent folders are created.
public final class FileCredentialStore: CredentialStore {
    private let file: URL
    /// The size of the largest token, in bytes.
    private static let maximumSize = 1 << 20

    /// - Parameter file: the file. It need not exist before the user signs in.
    public init(_ file: URL) {
        self.file = file
    }

    /// The token; nil while nobody is signed in. Spaces and line breaks around it do not count.
    ///
    /// - Throws: ``APIError`` of the kind `authorization` if the file cannot be read, or is not text.
    public func token() throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let path = FilePath.display(file)
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
    /// - Throws: ``APIError`` of the kind `authorization` if the file cannot be written. The old token is kept then.
    public func save(_ token: String) throws {
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
}
