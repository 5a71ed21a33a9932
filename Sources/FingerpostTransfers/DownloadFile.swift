import FingerpostFiles
import FingerpostShared
import Foundation

/// A file that a body is downloaded to. Until the body is complete, the part that has come is in a hidden file, whose
/// place ``DownloadPlace`` decides.
///
/// With `resuming`, the part has a name that a later download to the same file finds, and a second hidden file
/// describes the whole that the part belongs to. The description is written before the first byte of the part and
/// deleted before the part is emptied, so a process that ends at any time leaves no description of other bytes. The
/// part is locked or claimed while a download uses it. Without `resuming`, the part is this download's alone.
final class DownloadFile: Sendable {
    /// The whole that a part belongs to.
    struct Whole: Codable, Equatable, Sendable {
        static let version = 2
        /// The version of this description.
        private(set) var version = Self.version
        /// A random number in the hashes, so that no account and no URL can be looked up by its hash.
        private let salt: UInt64
        /// A hash of the request: its method, its URL, its account, and the values of the headers in `varying`.
        private let request: UInt64
        /// The names of the headers that the whole depends on, in lower case.
        let varying: [String]
        /// A hash of the server and the path that sent the whole, after redirects.
        private let address: UInt64
        /// The validator that a request to go on sends in `If-Range`.
        let validator: String
        /// The size in bytes.
        let size: Int64

        init(of request: DownloadIdentity, varying: [String], from address: URL?, validator: String, size: Int64) {
            salt = .random(in: 0 ... .max)
            (self.varying, self.validator, self.size) = (varying, validator, size)
            self.request = request.hash(salt: salt, varying: varying)
            self.address = DownloadIdentity.hash(of: address, salt: salt)
        }

        /// True if a request asks for this whole.
        func isAsked(by request: DownloadIdentity) -> Bool {
            request.hash(salt: salt, varying: varying) == self.request
        }

        /// True if this whole was sent from an address.
        func isSent(from address: URL?) -> Bool { DownloadIdentity.hash(of: address, salt: salt) == self.address }
    }

    private struct State {
        /// Nil once the part was moved, kept or deleted.
        var handle: FileHandle?
        /// Nil if the handle holds a lock, or if nothing is kept.
        var claim: FileClaim?
        /// The size of the part in bytes.
        var size: Int64 = 0
        /// Nil if the part cannot be continued.
        var whole: Whole?
        /// The complete body, mapped into memory.
        var body: Data?
    }

    private let place: DownloadPlace
    private let state: Locked<State>

    /// Creates an empty part or, with `resuming`, opens what is left of an earlier download to the same file.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if another download uses it, or if it cannot be
    ///   opened.
    convenience init(
        for target: URL, resuming: Bool = true, on platform: DownloadPlatform = .current
    ) throws(APIError) {
        try target.checkDownload()
        do {
            let (place, opened) = try DownloadPlace.open(for: target, resuming: resuming, on: platform)
            try self.init(place, opened)
        } catch {
            throw Self.failure(error, target, "so nothing was sent")
        }
    }

    private init(_ place: DownloadPlace, _ opened: DownloadPlace.Opened) throws {
        self.place = place
        let size = Int64(try opened.handle.seekToEnd())
        let data = try place.description.flatMap { try PrivateFile.contents(of: $0, limit: 1 << 16) }
        // A description that was cut, or that another version wrote, describes nothing.
        let whole = data.flatMap { try? JSONDecoder().decode(Whole.self, from: $0) }.flatMap {
            $0.version == Whole.version && size > 0 && size <= $0.size ? $0 : nil
        }
        state = Locked(State(handle: opened.handle, claim: opened.claim, size: size, whole: whole))
    }

    deinit { leave() }

    /// Deletes what is left of a download.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if a download uses it, or if it cannot be deleted.
    static func discard(at target: URL, on platform: DownloadPlatform = .current) throws(APIError) {
        try target.checkDownload()
        do {
            for place in DownloadPlace.kept(for: target, on: platform) {
                try DownloadFile(place, place.open()).delete()
            }
        } catch {
            throw failure(error, target)
        }
    }

    // MARK: Receiving

    /// The part that was kept of a request's body, and its size in bytes; nil if there is none.
    func kept(of request: DownloadIdentity) -> (whole: Whole, size: Int64)? {
        state.withLock { state in
            guard let whole = state.whole, state.size > 0, whole.isAsked(by: request) else { return nil }
            return (whole, state.size)
        }
    }

    /// Starts over with an empty part.
    ///
    /// - Parameter whole: the whole that the part will belong to; nil if no download can go on with it.
    func begin(_ whole: Whole?) throws(APIError) {
        try change { state in
            guard let handle = state.handle else { return }
            if state.size == 0 {
                try place.deleteDescription()
                try handle.truncate(atOffset: 0)
            } else {
                // Middleware may still read a body of this or of an earlier call, which is mapped from the file.
                try place.delete()
                try handle.close()
                state.handle = try place.openPart()
            }
            (state.size, state.body, state.whole) = (0, nil, whole)
            if let whole, let description = place.description {
                try NewFile.replace(description, with: JSONEncoder().encode(whole))
            }
        }
    }

    /// Goes on after the first bytes of the part.
    func goOn(after size: Int64) throws(APIError) {
        try change { state in
            try state.handle?.seek(toOffset: UInt64(size))
            (state.size, state.body) = (size, nil)
        }
    }

    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the part cannot be written, or would be larger
    ///   than the whole.
    func append(_ data: Data) throws(APIError) {
        try change { state in
            if let whole = state.whole, data.count > whole.size - state.size {
                throw APIError(
                    .transport, "the server sent more than the \(whole.size) bytes that it had announced",
                    fix: "correct the server")
            }
            try state.handle?.write(contentsOf: data)
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
            do {
                if let handle = state.handle { try PrivateFile.store(handle) }
            } catch {
                // Nobody knows which bytes are missing.
                state.whole = nil
                throw error
            }
            let data = try RegularFile.mapped(place.part)
            state.body = data
            return data
        }
    }

    // MARK: Ending

    /// Replaces the target with the final body in one step. The target keeps its mode and its attributes.
    ///
    /// - Parameter data: the final body: the received bytes, unless middleware replaced them.
    func become(_ data: Data) throws(APIError) {
        try change { state in
            if let body = state.body, body.isMapped(as: data) {
                try place.replaceTarget()
            } else {
                try place.replaceTarget(with: data)
            }
            try place.deleteDescription()
            state.whole = nil
            try close(&state)
        }
    }

    /// Ends the download, and keeps the part if a later download can go on with it. Then more bytes are ignored.
    func leave() {
        state.withLock { state in
            guard let handle = state.handle else { return }
            // A part that could not be stored is dropped, as if nothing had come.
            if state.whole == nil || state.size == 0 || (try? PrivateFile.store(handle)) == nil {
                // The lock or the claim is held until the files are deleted. What cannot be deleted stays.
                try? place.delete()
            }
            // What was written is stored.
            try? close(&state)
        }
    }

    /// Deletes the part and its description.
    func delete() throws(APIError) {
        try change { state in
            try place.delete()
            state.whole = nil
            try close(&state)
        }
    }

    private func close(_ state: inout State) throws {
        // When the part is closed, another download may use it.
        defer {
            state.claim = nil
            place.deleteFolder()
        }
        if let handle = state.handle.take() { try PrivateFile.close(handle) }
    }

    private func change<Value>(_ body: (inout State) throws -> Value) throws(APIError) -> Value {
        do { return try state.withLock { try body(&$0) } } catch { throw Self.failure(error, place.target) }
    }

    static func failure(_ error: any Error, _ target: URL, _ consequence: String? = nil) -> APIError {
        if let error = error as? APIError { return error }
        let path = FilePath.display(target)
        let end = consequence.map { ", \($0)" } ?? ""
        if let refusal = error as? PrivateFile.Refusal {
            return APIError(
                .transport, "the partial download cannot be used: \(refusal.fileReason)\(end)",
                fix: "remove \(FilePath.display(refusal.file))", underlying: error)
        }
        if (error as? POSIXError)?.code == .EWOULDBLOCK {
            return APIError(
                .transport, "another download to \(path) is in progress\(end)",
                fix: "wait for its end, or use another file", underlying: error)
        }
        // iOS permits no protected file while the device is locked, and a sandbox permits no file outside of it.
        let isForbidden = error.systemError == .EPERM
        return APIError(
            .transport, "the body cannot be written to \(path): \(error.fileReason)\(end)",
            fix: isForbidden
                ? "use a file that this process may write; on iOS, unlock the device first"
                : "use a file in a writable folder on a disk with free space",
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

extension URL {
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if no file can have this URL.
    fileprivate func checkDownload() throws(APIError) {
        guard isFileURL, !hasDirectoryPath, !isFolder else {
            let path = isFileURL ? FilePath.display(self) : Redaction.url(absoluteString)
            throw APIError(
                .transport, "\(path) is not a file that the body can be written to, so nothing was sent",
                fix: "pass the URL of a file, including its name")
        }
    }
}
