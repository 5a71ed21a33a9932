import Dispatch
import FingerpostFiles
import Foundation

/// Writes a ``MultipartForm`` piece by piece.
struct MultipartWriter {
    /// The size in bytes of the largest form that is kept in memory. A larger form is written to a temporary file.
    static let memoryLimit = 1 << 20

    private let form: MultipartForm

    init(_ form: MultipartForm) {
        self.form = form
    }

    /// The whole body in memory.
    ///
    /// - Throws: `APIError` of the kind `encoding` if a file cannot be read, if the boundary is invalid, or if a
    ///   content type is invalid.
    func data() throws -> Data {
        var data = Data()
        try write { data.append(contentsOf: $0) }
        return data
    }

    /// True if the body is written to a temporary file.
    var isLarge: Bool { get throws { try size() > Self.memoryLimit } }

    /// The body as a stream that can be opened repeatedly. The stream reads a temporary file. The file is deleted when
    /// the last copy of the stream is released.
    ///
    /// - Throws: `CancellationError` if the task is cancelled. Otherwise the same errors as ``data()``.
    func spooled() async throws -> BodyStream {
        let isCancelled = Locked(false)
        let file = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Copying files blocks the thread, so copy them on a thread outside the pool that runs tasks.
                DispatchQueue.global().async {
                    continuation.resume(
                        with: Result {
                            let file = try TemporaryFile()
                            let handle = try FileHandle(forWritingTo: file.url)
                            try write { bytes in
                                if isCancelled.withLock({ $0 }) { throw CancellationError() }
                                try handle.write(contentsOf: Data(bytes))
                            }
                            // Some file systems report a full disk only when the file is closed. If a write throws an
                            // error, this line is not reached, and the file is closed when the handle is deinitialized.
                            try handle.close()
                            return file
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        return BodyStream(contentType: form.contentType, origin: "the multipart form") { InputStream(url: file.url) }
    }

    /// The total size of the parts' contents in bytes, without the parts' headers.
    private func size() throws -> Int {
        try form.parts.reduce(0) { total, part in
            switch part.content {
            case .data(let data): total + data.count
            case .file(let url): total + (try BodyFile(url).size)
            }
        }
    }

    private func write(_ sink: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try checkBoundary()
        func write(_ text: String) throws {
            var text = text
            try text.withUTF8(sink)
        }
        for part in form.parts {
            try write("--\(form.boundary)\r\n\(try head(of: part))\r\n")
            switch part.content {
            case .data(let data): try data.withUnsafeBytes { try sink($0.bindMemory(to: UInt8.self)) }
            case .file(let url): try BodyFile(url).read(sink)
            }
            try write("\r\n")
        }
        try write("--\(form.boundary)--\r\n")
    }

    private func checkBoundary() throws(APIError) {
        let isLetter = { PercentEncoding.unreserved.contains($0) && $0 != UInt8(ascii: "~") }
        guard (1...70).contains(form.boundary.utf8.count), form.boundary.utf8.allSatisfy(isLetter) else {
            throw APIError(
                .encoding, "\(form.boundary.quoted) is not a valid multipart boundary",
                fix: "use up to 70 letters, digits and hyphens, or leave it out")
        }
    }

    private func head(of part: MultipartForm.Part) throws -> String {
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(part.name))\""
        if let fileName = part.fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
        head += "\r\n"
        if let contentType = part.contentType {
            guard HTTPSyntax.isFieldValue(contentType) else {
                throw APIError(
                    .encoding,
                    "the content type \(contentType.quoted) of the part \"\(part.name)\" contains a line break"
                )
            }
            head += "Content-Type: \(contentType)\r\n"
        }
        return head
    }

    /// Escapes the characters that would end the quoted string or the line (WHATWG HTML, section 4.10.21.8).
    private static func escaped(_ text: String) -> String {
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
