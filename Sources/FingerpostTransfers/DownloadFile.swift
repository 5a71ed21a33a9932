import FingerpostFiles
import FingerpostShared
import Foundation

/// A file that a body is downloaded to. Until the body is complete, what has arrived is in a hidden file, the part.
///
/// With `resuming`, a later download finds the part, and a second hidden file, its description: which whole the part
/// belongs to. A process can be killed between any two of these steps. No order of them joins bytes of two wholes,
/// because **a description never describes a part with bytes of another whole**:
///
/// | Step | What a process that is killed after it leaves |
/// |---|---|
/// | lock the description, open the part | both files, as they were or empty |
/// | ``begin(_:)``: empty the description | a part that nothing describes, which no download resumes |
/// | replace the part by a new file | an empty part |
/// | write the description | an empty part. A description that is cut off describes nothing: it is no JSON |
/// | ``append(_:)`` | a part that is the beginning of its whole, because bytes are written in order |
/// | ``become(_:)``: give the part the mode of the target | a part that is not private. The next download replaces it |
/// | rename the part to the target | the target, and a description without a part, which describes nothing |
/// | delete the description | the target |
///
/// The lock keeps other downloads out until the last step. If another one uses the files all the same, in another
/// process of iOS or because another process has deleted the description, ``begin(_:)`` and ``become(_:)`` find that
/// the part is not their own any more, and fail.
///
/// Without `resuming`, the part is this download's alone, and nothing describes it.
final class DownloadFile: Sendable {
    /// The whole that a part belongs to.
    struct Whole: Codable, Equatable, Sendable {
        /// A random number in the hashes, so that no account and no URL can be looked up by its hash.
        private let salt: UInt64
        /// A hash of the request: its method, its URL, its account, and the values of the headers in `varying`.
        private let request: UInt64
        /// The names of the headers that the whole depends on, in lower case.
        let varying: [String]
        /// A hash of the server and the path that sent the whole, after redirects.
        private let address: UInt64
        /// The validator that a request to resume sends in `If-Range`.
        let validator: String
        /// The size in bytes.
        let size: Int64

        init(of request: RequestFingerprint, varying: [String], from address: URL?, validator: String, size: Int64) {
            salt = .random(in: 0 ... .max)
            (self.varying, self.validator, self.size) = (varying, validator, size)
            self.request = request.hash(salt: salt, varying: varying)
            self.address = RequestFingerprint.hash(of: address, salt: salt)
        }

        /// True if a request asks for this whole.
        func isAsked(by request: RequestFingerprint) -> Bool {
            request.hash(salt: salt, varying: varying) == self.request
        }

        /// True if this whole was sent from an address.
        func isSent(from address: URL?) -> Bool { RequestFingerprint.hash(of: address, salt: salt) == self.address }
    }

    private struct State {
        /// Nil once the download has ended.
        var part: FileHandle?
        /// The description; nil if no later download finds the part.
        var description: FileLock?
        /// The size of the part in bytes.
        var size: Int64
        /// The size that it may reach with the response that is received; nil if that is unknown.
        var limit: Int64?
        /// Nil if the part cannot be continued.
        var whole: Whole?
        /// The complete body, mapped into memory.
        var body: Data?
    }

    private let location: DownloadLocation
    private let state: Locked<State>

    /// Creates an empty part or, with `resuming`, opens what is left of an earlier download to the same file.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if another download uses it, or if it cannot be
    ///   opened.
    init(
        for target: URL, resuming: Bool = true, in sandbox: DownloadLocation.Sandbox = .current
    ) throws(APIError) {
        do {
            let (location, description, part) = try DownloadLocation.open(for: target, isKept: resuming, in: sandbox)
            let size = Int64(try part.seekToEnd())
            let data = try description?.handle.read(upToCount: 1 << 16) ?? Data()
            // A description that was cut off, or that another version wrote, describes nothing.
            var whole = try? JSONDecoder().decode(Whole.self, from: data)
            if let known = whole, size == 0 || size > known.size { whole = nil }
            self.location = location
            state = Locked(State(part: part, description: description, size: size, whole: whole))
        } catch {
            throw Self.failure(error, target, ", so nothing was sent")
        }
    }

    deinit { leave() }

    /// Deletes what is left of earlier downloads.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if a download uses it, or if it cannot be deleted.
    static func discard(at target: URL) throws(APIError) {
        do { try DownloadLocation(beside: target).discard() } catch { throw failure(error, target) }
    }

    // MARK: Receiving

    /// The part that was kept of a request's body, and its size in bytes; nil if there is none.
    func kept(of request: RequestFingerprint) -> (whole: Whole, size: Int64)? {
        state.withLock { state in
            guard let whole = state.whole, state.size > 0, whole.isAsked(by: request) else { return nil }
            return (whole, state.size)
        }
    }

    /// Starts over with an empty part.
    ///
    /// - Parameter whole: the whole that the part will belong to; nil if no download can resume it.
    func begin(_ whole: Whole?) throws(APIError) {
        try change { state in
            guard let part = state.part else { return }
            try location.check(part)
            (state.size, state.limit, state.body, state.whole) = (0, whole?.size, nil, nil)
            try state.description?.handle.truncate(atOffset: 0)
            // Another file, because middleware may still read a body that is mapped from this one.
            state.part = try location.createPart()
            if let whole { try state.description?.handle.write(contentsOf: JSONEncoder().encode(whole)) }
            // It is on the disk before the first byte of the part, or a loss of power could leave an older one.
            try state.description?.handle.synchronize()
            state.whole = whole
        }
    }

    /// Goes on with the bytes at these positions of the whole.
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

    /// - Returns: the complete body, as memory-mapped data.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the part is smaller than the whole.
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

    /// Replaces the target with the final body in one step. The target keeps its mode and, on Apple platforms, its
    /// attributes.
    ///
    /// - Parameter data: the final body: the received bytes, unless middleware replaced them.
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

    /// Ends the download, and keeps the part if a later download can resume it. Then more bytes are ignored.
    func leave() {
        state.withLock { state in
            guard state.part != nil else { return }
            // A part that could not be stored is dropped, as if nothing had come.
            try? store(&state)
            if state.whole != nil, state.size > 0, state.description != nil {
                (state.part, state.description) = (nil, nil)
            } else {
                // What cannot be deleted stays.
                try? end(&state)
            }
        }
    }

    /// Deletes the hidden files, and then lets other downloads use them.
    private func end(_ state: inout State) throws {
        defer { (state.part, state.description, state.whole) = (nil, nil, nil) }
        try location.delete()
    }

    /// Stores what was written. If that fails, nobody knows which bytes are missing.
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
        // iOS permits no protected file while the device is locked, and a sandbox permits no file outside of it.
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
    /// True if both are the same bytes in memory. This function compares addresses, not bytes.
    fileprivate func isMapped(as other: Data) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { own in other.withUnsafeBytes { $0.baseAddress == own.baseAddress } }
    }
}
