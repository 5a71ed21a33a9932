import Dispatch
import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// Writes a ``MultipartForm`` chunk by chunk.
struct MultipartWriter: WrittenBody {
    private let form: MultipartForm

    init(_ form: MultipartForm) {
        self.form = form
    }

    var description: String { form.description }

    var contentType: String { "multipart/form-data; boundary=\(form.boundary)" }

    var fields: [(name: String, value: Data?)] {
        form.parts.map { part in
            if case .data(let data) = part.content { (part.name, data) } else { (part.name, nil) }
        }
    }

    /// Returns the whole body in memory.
    ///
    /// - Throws: `APIError` of the kind `encoding` if a file cannot be read, if the boundary is invalid, or if a
    ///   content type is invalid.
    func data() throws(APIError) -> Data {
        var output = Output()
        do { try write(to: &output) } catch { throw Self.failure(error) }
        return output.data
    }

    /// Returns the body as a stream that can be opened repeatedly, or nil if the body fits into memory. The stream
    /// reads a temporary file, which is deleted when the last copy of the stream is released.
    ///
    /// - Throws: `CancellationError` if the task is cancelled. Otherwise the same errors as ``data()``.
    func spooled() async throws -> BodyStream? {
        guard try size() > MultipartForm.memoryLimit else { return nil }
        let isCancelled = Locked(false)
        let file = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The copy blocks a thread, so it must not use the threads on which tasks run.
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            do { return try writtenFile(isCancelled) } catch {
                                throw error is CancellationError ? error : Self.failure(error)
                            }
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        return BodyStream(contentType: contentType, called: "the multipart form") { () throws(APIError) in
            try BodyFile(file.url).open()
        }
    }

    private func writtenFile(_ isCancelled: Locked<Bool>) throws -> TemporaryFile {
        let file = try TemporaryFile()
        let handle = try FileHandle(forWritingTo: file.url)
        var output = Output(file: (handle, isCancelled))
        try write(to: &output)
        // Some file systems report a full disk only when the file is closed. If an earlier write throws an error, the
        // file is closed when the handle is deinitialized.
        try handle.close()
        return file
    }

    /// The total size of the parts' contents in bytes, without the parts' headers.
    private func size() throws(APIError) -> Int64 {
        var size: Int64 = 0
        for part in form.parts {
            switch part.content {
            case .data(let data): size += Int64(data.count)
            case .file(let url): size += try BodyFile(url).size
            }
        }
        return size
    }

    private static func failure(_ error: any Error) -> APIError {
        error as? APIError
            ?? APIError(
                .encoding, "the form cannot be written to a temporary file: \(error.fileReason)",
                fix: "free some space on the disk of \(FileManager.default.temporaryDirectory.path)", underlying: error)
    }

    /// Receives the form's bytes, in a file or in memory.
    private struct Output {
        /// The bytes of a form that is written to memory.
        private(set) var data = Data()
        private let file: (handle: FileHandle, isCancelled: Locked<Bool>)?

        init(file: (handle: FileHandle, isCancelled: Locked<Bool>)? = nil) {
            self.file = file
        }

        @inline(never)
        mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws {
            guard let file else { return data.append(contentsOf: bytes) }
            if file.isCancelled.withLock({ $0 }) { throw CancellationError() }
            try file.handle.write(contentsOf: Data(bytes))
        }
    }

    private func write(to output: inout Output) throws {
        try checkBoundary()
        func write(_ text: String) throws {
            var text = text
            try text.withUTF8 { try output.append($0) }
        }
        for part in form.parts {
            try write("--\(form.boundary)\r\n\(try head(of: part))\r\n")
            // A random boundary cannot occur in the content.
            var search = form.isBoundaryRandom ? nil : TextSearch("--\(form.boundary)")
            func writeContent(_ bytes: UnsafeBufferPointer<UInt8>) throws {
                if search?.isFound(in: bytes) == true {
                    throw APIError(
                        .encoding, "the part \(part.name.quoted) contains the boundary \"--\(form.boundary)\"",
                        fix: "leave the boundary out, so that a random one is used")
                }
                try output.append(bytes)
            }
            switch part.content {
            case .data(let data): try data.withUnsafeBytes { try writeContent($0.bindMemory(to: UInt8.self)) }
            case .file(let url): try BodyFile(url).read(writeContent)
            }
            try write("\r\n")
        }
        try write("--\(form.boundary)--\r\n")
    }

    private func checkBoundary() throws(APIError) {
        let isLetter = { (byte: UInt8) in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || byte.isASCIIDigit || "-._".utf8.contains(byte))
        }
        guard (1...70).contains(form.boundary.utf8.count), form.boundary.hasOnly(isLetter) else {
            throw APIError(
                .encoding, "\(form.boundary.quoted) is not a valid multipart boundary",
                fix: "use up to 70 letters, digits and hyphens, or leave it out")
        }
    }

    private func head(of part: MultipartForm.Part) throws -> String {
        var head = "Content-Disposition: form-data; name=\"\(try Self.escaped(part.name))\""
        if let fileName = part.fileName { head += "; filename=\"\(try Self.escaped(fileName))\"" }
        head += "\r\n"
        if let contentType = part.contentType {
            guard HTTPSyntax.isFieldValue(contentType) else {
                throw APIError(
                    .encoding,
                    "the content type \(contentType.quoted) of the part \(part.name.quoted) contains CR, LF or NUL"
                )
            }
            head += "Content-Type: \(contentType)\r\n"
        }
        return head
    }

    /// Escapes the characters that would end the quoted string or the line (WHATWG HTML, section 4.10.21.8).
    ///
    /// - Throws: an error for a NUL, because parsers written in C treat it as the end of the text.
    private static func escaped(_ text: String) throws(APIError) -> String {
        guard !text.utf8.contains(0) else {
            throw APIError(
                .encoding, "the name \(text.quoted) of a part or a file contains NUL", fix: "remove the NUL")
        }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// Searches for a text in bytes that arrive in chunks (the algorithm of Knuth, Morris and Pratt).
private struct TextSearch {
    private let text: [UInt8]
    /// For each prefix of the text, the length of the longest shorter prefix with which this prefix also ends.
    private let fallbacks: [Int]
    /// The length of the longest prefix of the text with which the received bytes end.
    private var matched = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
        var fallbacks = [0, 0]
        for byte in self.text.dropFirst() {
            fallbacks.append(Self.next(fallbacks[fallbacks.count - 1], byte, self.text, fallbacks))
        }
        self.fallbacks = fallbacks
    }

    mutating func isFound(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in bytes {
            matched = Self.next(matched, byte, text, fallbacks)
            if matched == text.count { return true }
        }
        return false
    }

    private static func next(_ matched: Int, _ byte: UInt8, _ text: [UInt8], _ fallbacks: [Int]) -> Int {
        var matched = matched
        while matched > 0, text[matched] != byte { matched = fallbacks[matched] }
        return text[matched] == byte ? matched + 1 : 0
    }
}
