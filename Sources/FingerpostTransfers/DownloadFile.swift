import FingerpostFiles
import FingerpostShared
import Foundation

/// The file of a download. Until the body is complete, the received bytes are in a hidden file: the part.
///
/// With `resuming`, a later download finds the part and a second hidden file: the description of the full body that the
/// part belongs to. The process can be killed between any two steps. Bytes of different bodies are never joined,
/// because **a description never describes a part with bytes of another body**:
///
/// | Step | Files after a kill that follows this step |
/// |---|---|
/// | lock the description, open the part | both files are unchanged or empty |
/// | ``begin(_:)``: empty the description | a part without a description. No download resumes this part |
/// | replace the part by a new file | an empty part |
/// | write the description | an empty part. An incomplete description is invalid JSON, so it describes nothing |
/// | ``append(_:)`` | a part that is the start of its body, because bytes are written in order |
/// | ``become(_:)``: give the part the mode of the target | a part that is not private. The next download replaces it |
/// | rename the part to the target | the target, and a description without a part. It describes nothing |
/// | delete the description | the target |
///
/// The lock excludes other downloads until the last step. Another download can still use the files, from another
/// process on iOS or after another process has deleted the description. In this case, ``begin(_:)`` and ``become(_:)``
/// fail, because they check that the part is still their own file.
///
/// Without `resuming`, the part belongs to this download alone and has no description.
final class DownloadFile: Sendable {
    /// The full body that a part belongs to.
    struct Whole: Codable, Equatable, Sendable {
        /// A random number in the hashes, so that nobody can find out an account or a URL from its hash.
        private let salt: UInt64
        /// The hash of the request's method, URL, account, and the values of the headers in `varying`.
        private let request: UInt64
        /// The lower-case names of the request headers that the body depends on.
        let varying: [String]
        /// The hash of the server and the path that sent the body after all redirects.
        private let address: UInt64
        /// The validator that a request to resume sends in `If-Range`.
        let validator: String
        /// The size of the full body in bytes.
        let size: Int64

        init(of request: RequestFingerprint, varying: [String], from address: URL?, validator: String, size: Int64) {
            salt = .random(in: 0 ... .max)
            (self.varying, self.validator, self.size) = (varying, validator, size)
            self.request = request.hash(salt: salt, varying: varying)
            self.address = RequestFingerprint.hash(of: address, salt: salt)
        }

        /// Returns true if a request is for this body.
        func isAsked(by request: RequestFingerprint) -> Bool {
            request.hash(salt: salt, varying: varying) == self.request
        }

        /// Returns true if this body was sent from an address.
        func isSent(from address: URL?) -> Bool { RequestFingerprint.hash(of: address, salt: salt) == self.address }
    }

    private struct State {
        /// The open part. Nil after the end of the download.
        var part: FileHandle?
        /// The locked description. Nil if no later download can find the part.
        var description: FileLock?
        /// The size of the part in bytes.
        var size: Int64
        /// The maximum size of the part with the current response. Nil if the maximum is unknown.
        var limit: Int64?
        /// The full body. Nil if the part cannot be resumed.
        var whole: Whole?
        /// The complete body as memory-mapped data.
        var body: Data?
    }

    private let location: DownloadLocation
    private let state: Locked<State>

    /// Creates an empty part. With `resuming`, opens the part of an earlier download to the same file.
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
            // A description that is incomplete or comes from another version of the library does not decode.
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

    /// Returns the full body and the size of the part, in bytes, if the part belongs to a request; otherwise nil.
    func kept(of request: RequestFingerprint) -> (whole: Whole, size: Int64)? {
        state.withLock { state in
            guard let whole = state.whole, state.size > 0, whole.isAsked(by: request) else { return nil }
            return (whole, state.size)
        }
    }

    /// Starts with an empty part.
    ///
    /// - Parameter whole: the full body that the part will belong to. Nil if no download can resume the part.
    func begin(_ whole: Whole?) throws(APIError) {
        try change { state in
            guard let part = state.part else { return }
            try location.check(part)
            (state.size, state.limit, state.body, state.whole) = (0, whole?.size, nil, nil)
            try state.description?.handle.truncate(atOffset: 0)
            // Create another file, because middleware may still read data that is mapped from the old part.
            state.part = try location.createPart()
            if let whole { try state.description?.handle.write(contentsOf: JSONEncoder().encode(whole)) }
            // Flush the description to the disk before the part gets its first byte. Otherwise a power failure could
            // leave an older description.
            try state.description?.handle.synchronize()
            state.whole = whole
        }
    }

    /// Continues the part at a position of the full body.
    func goOn(with bytes: ClosedRange<Int64>) throws(APIError) {
        try change { state in
            try state.part?.seek(toOffset: UInt64(bytes.lowerBound))
            (state.size, state.limit, state.body) = (bytes.lowerBound, bytes.upperBound + 1, nil)
        }
    }

    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the part cannot be written, or would be larger
    ///   than the server has announced.
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
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the part is smaller than the full body.
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

    /// Replaces the target with the final body atomically. The target keeps its mode and, on Apple platforms, its
    /// attributes.
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

    /// Ends the download, and keeps the part if a later download can resume it. Bytes that arrive later are ignored.
    func leave() {
        state.withLock { state in
            guard state.part != nil else { return }
            // If the part cannot be flushed to the disk, it is deleted.
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

    /// Flushes the part to the disk. After an error, the part cannot be resumed, because any of its bytes may be
    /// missing.
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
        // iOS denies access to a protected file while the device is locked. A sandbox denies access to files outside of
        // it.
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
