import FingerpostFiles
import FingerpostShared
import Foundation

/// The file of a download. Until the body is complete, the received bytes are in a hidden file: the partial file.
///
/// With `resuming`, a later download finds the partial file and a second hidden file, the description, which describes
/// the full body to which the partial file belongs. The process can be killed between any two steps. Bytes of different
/// bodies are still never joined, because **a description never describes a partial file with bytes of another body**:
///
/// | Step | Files after a kill that follows this step |
/// |---|---|
/// | lock the description, open the partial file | both files are unchanged or empty |
/// | ``begin(_:)``: empty the description | a partial file without a description. No download resumes it |
/// | replace the partial file by a new file | an empty partial file |
/// | write the description | an empty partial file. An incomplete description is invalid JSON and is ignored |
/// | ``append(_:)`` | a partial file with the start of its body, because bytes are written in order |
/// | ``become(_:)``: set the target's mode | a partial file that is not private. The next download replaces it |
/// | rename the partial file to the target | the target, and a description without a partial file, which is ignored |
/// | delete the description | the target |
///
/// The lock excludes other downloads until the last step. The lock does not exclude a download in another process on
/// iOS, or after another process has deleted the description. If such a download has replaced the partial file,
/// ``begin(_:)`` and ``become(_:)`` detect this and throw an error.
///
/// Without `resuming`, the partial file has no description, and only this download uses it.
final class DownloadFile: Sendable {
    /// The full body to which a partial file belongs.
    struct Whole: Codable, Equatable, Sendable {
        /// A random number in each hash. Because of this number, the same account or URL has another hash in each file.
        private let salt: UInt64
        /// A hash of the request: its method, its URL, its account, and its values for the headers in `varying`.
        private let request: UInt64
        /// The lower-case names of the request headers that the body depends on.
        let varying: [String]
        /// The hash of the URL from which the body came after all redirects, without the URL's query.
        private let address: UInt64
        /// The validator that a resuming request sends in the `If-Range` header.
        let validator: String
        /// The size of the full body in bytes.
        let size: Int64

        init(of request: RequestFingerprint, varying: [String], from address: URL?, validator: String, size: Int64) {
            salt = .random(in: 0 ... .max)
            (self.varying, self.validator, self.size) = (varying, validator, size)
            self.request = request.hash(salt: salt, varying: varying)
            self.address = RequestFingerprint.hash(of: address, salt: salt)
        }

        /// Returns true if the response to a request would have this body.
        func isAsked(by request: RequestFingerprint) -> Bool {
            request.hash(salt: salt, varying: varying) == self.request
        }

        /// Returns true if this body came from the given address.
        func isSent(from address: URL?) -> Bool { RequestFingerprint.hash(of: address, salt: salt) == self.address }
    }

    private struct State {
        /// The open partial file. Nil after the end of the download.
        var part: FileHandle?
        /// The locked description. Nil if the partial file is not for later downloads.
        var description: FileLock?
        /// The size of the partial file in bytes.
        var size: Int64
        /// The maximum size that the current response permits for the partial file. Nil if the maximum is unknown.
        var limit: Int64?
        /// The full body. Nil if its download cannot be resumed.
        var whole: Whole?
        /// The complete body as memory-mapped data.
        var body: Data?
    }

    private let location: DownloadLocation
    private let state: Locked<State>

    /// Creates an empty partial file. With `resuming`, opens the partial file of an earlier download to the same
    /// target.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if another download uses the files, or if they cannot
    ///   be opened.
    init(
        for target: URL, resuming: Bool = true, in sandbox: DownloadLocation.Sandbox = .current
    ) throws(APIError) {
        do {
            let (location, description, part) = try DownloadLocation.open(for: target, isKept: resuming, in: sandbox)
            let size = Int64(try part.seekToEnd())
            let data = try description?.handle.read(upToCount: 1 << 16) ?? Data()
            // If a description is incomplete or comes from another version of the library, it cannot be decoded and is
            // ignored.
            var whole = try? JSONDecoder().decode(Whole.self, from: data)
            if let known = whole, size == 0 || size > known.size { whole = nil }
            self.location = location
            state = Locked(State(part: part, description: description, size: size, whole: whole))
        } catch {
            throw Self.failure(error, target, ", so nothing was sent")
        }
    }

    deinit { leave() }

    /// Deletes the hidden files of earlier downloads.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if a download uses the files, or if they cannot be
    ///   deleted.
    static func discard(at target: URL) throws(APIError) {
        do { try DownloadLocation(beside: target).discard() } catch { throw failure(error, target) }
    }

    // MARK: Receiving

    /// If the partial file belongs to the response to a request, returns the full body and the size of the partial file
    /// in bytes. Otherwise returns nil.
    func kept(of request: RequestFingerprint) -> (whole: Whole, size: Int64)? {
        state.withLock { state in
            guard let whole = state.whole, state.size > 0, whole.isAsked(by: request) else { return nil }
            return (whole, state.size)
        }
    }

    /// Starts over with an empty partial file.
    ///
    /// - Parameter whole: the full body to which the new bytes belong. Nil if this download cannot be resumed later.
    func begin(_ whole: Whole?) throws(APIError) {
        try change { state in
            guard let part = state.part else { return }
            try location.check(part)
            (state.size, state.limit, state.body, state.whole) = (0, whole?.size, nil, nil)
            try state.description?.handle.truncate(atOffset: 0)
            // Create another file, because middleware may still read data that is mapped from the old file.
            state.part = try location.createPart()
            if let whole { try state.description?.handle.write(contentsOf: JSONEncoder().encode(whole)) }
            // Flush the description to the disk before the first byte is written to the partial file. Otherwise, an
            // older description could be on the disk after a power failure.
            try state.description?.handle.synchronize()
            state.whole = whole
        }
    }

    /// Prepares the partial file for the bytes at the given positions of the full body.
    func goOn(with bytes: ClosedRange<Int64>) throws(APIError) {
        try change { state in
            try state.part?.seek(toOffset: UInt64(bytes.lowerBound))
            (state.size, state.limit, state.body) = (bytes.lowerBound, bytes.upperBound + 1, nil)
        }
    }

    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the partial file cannot be written, or if it would
    ///   become larger than the server has announced.
    func append(_ data: Data) throws(APIError) {
        try change { state in
            if let limit = state.limit, data.count > limit - state.size {
                throw APIError(
                    .transport, "the server sent more than the \(limit) bytes that it had announced",
                    fix: "correct the server")
            }
            try state.part?.write(contentsOf: data)
            state.size += Int64(data.count)
        }
    }

    /// - Returns: the complete body as memory-mapped data.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the partial file is smaller than the full body.
    func end() throws(APIError) -> Data {
        try change { state in
            if let whole = state.whole, state.size < whole.size {
                throw APIError(
                    .transport, "the body ended after \(state.size) of \(whole.size) bytes",
                    underlying: URLError(.networkConnectionLost))
            }
            try store(&state)
            let data = try RegularFile.mapped(location.part)
            state.body = data
            return data
        }
    }

    // MARK: Ending

    /// Replaces the target with the final body atomically. The target's mode does not change. On Apple platforms, the
    /// target's attributes do not change either.
    ///
    /// - Parameter data: the final body. Middleware can have replaced the received bytes.
    func become(_ data: Data) throws(APIError) {
        if state.withLock({ $0.body?.isMapped(as: data) != true }) {
            try begin(nil)
            try append(data)
        }
        try change { state in
            guard let part = state.part else { return }
            try store(&state)
            try location.check(part)
            try location.replaceTarget()
            try end(&state)
        }
    }

    /// Ends the download. If a later download can resume this one, the partial file stays; otherwise, the file is
    /// deleted. Bytes that arrive later are ignored.
    func leave() {
        state.withLock { state in
            guard state.part != nil else { return }
            // If the partial file cannot be flushed to the disk, it is deleted.
            try? store(&state)
            if state.whole != nil, state.size > 0, state.description != nil {
                (state.part, state.description) = (nil, nil)
            } else {
                // Files that cannot be deleted stay.
                try? end(&state)
            }
        }
    }

    /// Deletes the hidden files, and then unlocks them.
    private func end(_ state: inout State) throws {
        defer { (state.part, state.description, state.whole) = (nil, nil, nil) }
        try location.delete()
    }

    /// Flushes the partial file to the disk. After an error, the download cannot be resumed, because any byte of the
    /// file may be missing.
    private func store(_ state: inout State) throws {
        do { if let part = state.part { try PrivateFile.store(part) } } catch {
            state.whole = nil
            throw error
        }
    }

    private func change<Value>(_ body: (inout State) throws -> Value) throws(APIError) -> Value {
        do { return try state.withLock { try body(&$0) } } catch { throw Self.failure(error, location.target) }
    }

    static func failure(_ error: any Error, _ target: URL, _ consequence: String = "") -> APIError {
        if let error = error as? APIError { return error }
        let path = FilePath.display(target)
        if (error as? POSIXError)?.code == .EWOULDBLOCK {
            return APIError(
                .transport, "another download to \(path) is in progress\(consequence)",
                fix: "wait for its end, or use another file", underlying: error)
        }
        // iOS denies access to a protected file while the device is locked. A sandbox denies access to files outside
        // the sandbox.
        let isForbidden = error.systemError == .EPERM
        let refused = (error as? PrivateFile.Refusal)?.file
        return APIError(
            .transport, "the body cannot be written to \(path): \(error.fileReason)\(consequence)",
            fix: refused.map { "remove \(FilePath.display($0))" }
                ?? (isForbidden
                    ? "use a file that this process may write; on iOS, unlock the device first"
                    : "use a file in a writable folder on a disk with free space"),
            underlying: error)
    }
}

extension Data {
    /// Returns true if both values use the same memory. This method compares addresses, not bytes.
    fileprivate func isMapped(as other: Data) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { own in other.withUnsafeBytes { $0.baseAddress == own.baseAddress } }
    }
}
