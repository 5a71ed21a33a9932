public import Fingerpost
import FingerpostFiles
import FingerpostShared
public import Foundation

/// A body of the content type `multipart/form-data` (RFC 7578): fields, data and files.
///
/// ```swift
/// let form = MultipartForm()
///     .field("title", "Holiday")
///     .file("photo", photoURL)
///     .data("thumbnail", png, fileName: "small.png")
/// try await client.send(Route.post("photos").multipart(form))
/// ```
///
/// The client streams large forms from disk, so a file of any size takes little memory. Names and file names are
/// escaped as in browsers (WHATWG HTML, section 4.10.21.8): a quote becomes `%22`, and a line break becomes `%0D%0A`.
public struct MultipartForm: Sendable {
    /// The size in bytes of the largest form that is kept in memory. A larger form is written to a temporary file.
    static let memoryLimit = 1 << 20

    /// The source of a part's bytes.
    enum Content: Sendable {
        case data(Data)
        case file(URL)
    }

    /// One part of the form.
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: Content
    }

    private var list = SharedList<Part>()
    /// The text that separates the parts. By default, the text is random so that it does not occur in the content.
    public let boundary: String
    let isBoundaryRandom: Bool

    var parts: [Part] { list.elements }

    /// Creates an empty form.
    ///
    /// - Parameter boundary: up to 70 letters, digits and hyphens (RFC 2046 section 5.1.1); by default `fingerpost-`
    ///   followed by 24 random hexadecimal digits. Sending a form fails if the content of a part contains the given
    ///   boundary after two hyphens.
    public init(boundary: String? = nil) {
        isBoundaryRandom = boundary == nil
        self.boundary = boundary ?? "fingerpost-" + UUID().uuidString.replacingOccurrences(of: "-", with: "").prefix(24)
    }

    /// Adds a text field. If the value is nil, adds nothing.
    public func field(_ name: String, _ value: String?) -> MultipartForm {
        guard let value else { return self }
        return adding(Part(name: name, content: .data(Data(value.utf8))))
    }

    /// Adds a part that contains bytes. If `data` is nil, adds nothing. For a file on disk, use
    /// ``file(_:_:fileName:contentType:)`` instead, which does not read a large file into memory.
    ///
    /// - Parameters:
    ///   - name: the part's name.
    ///   - data: the part's content.
    ///   - fileName: the file name sent to the server. Servers treat a part with a file name as a file, and a part
    ///     without a file name as a field.
    ///   - contentType: by default derived from the file name's extension; `application/octet-stream` if the
    ///     extension is missing or unknown.
    public func data(
        _ name: String, _ data: Data?, fileName: String? = nil, contentType: String? = nil
    ) -> MultipartForm {
        guard let data else { return self }
        let type = contentType ?? fileName.map { Self.contentType(of: $0) } ?? "application/octet-stream"
        return adding(Part(name: name, fileName: fileName, contentType: type, content: .data(data)))
    }

    /// Adds a file. If `url` is nil, adds nothing. The file is read when the form is sent.
    ///
    /// - Parameters:
    ///   - name: the part's name.
    ///   - url: the file.
    ///   - fileName: the file name sent to the server; by default the file's own name.
    ///   - contentType: by default derived from the file name's extension; `application/octet-stream` if the
    ///     extension is missing or unknown.
    public func file(
        _ name: String, _ url: URL?, fileName: String? = nil, contentType: String? = nil
    ) -> MultipartForm {
        guard let url else { return self }
        let fileName = fileName ?? url.lastPathComponent
        return adding(
            Part(
                name: name, fileName: fileName, contentType: contentType ?? Self.contentType(of: fileName),
                content: .file(url)))
    }

    private func adding(_ part: Part) -> MultipartForm {
        var copy = self
        copy.list = list.appending(part)
        return copy
    }

    private static func contentType(of fileName: String) -> String {
        MediaType(fileName: fileName)?.rawValue ?? "application/octet-stream"
    }
}

extension RequestBody {
    /// A form with fields and files. The client sends a form that is larger than 1 MiB from a temporary file.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        .stream(BodyStream(writing: MultipartWriter(form)))
    }

    /// A file. The file is opened when the request is sent, and read while it is sent. The header `Content-Length`
    /// contains the file's size.
    ///
    /// - Parameters:
    ///   - url: the file. If the size of the file changes while the file is sent, the call fails with an
    ///     ``/Fingerpost/APIError`` of the kind `encoding`.
    ///   - contentType: by default derived from the file's extension; `application/octet-stream` if the extension is
    ///     unknown.
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
        let type = contentType ?? MediaType(fileName: url.lastPathComponent)?.rawValue
        return .stream(
            BodyStream(contentType: type, called: "the file \(FilePath.display(url))") { () throws(APIError) in
                try BodyFile(url).open()
            })
    }
}

extension RouteConvertible {
    /// Sends a multipart form with fields and files.
    public func multipart(_ form: MultipartForm) -> Route { body(.multipart(form)) }
}

extension MultipartForm: CustomStringConvertible, CustomReflectable {
    /// The names of the parts. The contents of the parts are left out because they can be secret.
    public var description: String { "MultipartForm(\(parts.map(\.name).joined(separator: ", ")))" }

    /// The names of the parts. The contents of the parts are left out because they can be secret.
    public var customMirror: Mirror { Mirror(self, children: ["names": parts.map(\.name)], displayStyle: .struct) }
}

/// A list whose copies share their elements. Appending an element to a copy takes constant time, so a form with many
/// parts is built in linear time. With an array, each new part would copy all earlier parts.
private struct SharedList<Element: Sendable>: Sendable {
    /// The elements of this list, followed by elements that were appended to other copies.
    private var shared = Locked<[Element]>([])
    private var count = 0

    var elements: [Element] { shared.withLock { $0.count == count ? $0 : Array($0[..<count]) } }

    func appending(_ element: Element) -> SharedList {
        var longer = self
        longer.count += 1
        let isShared = shared.withLock { all in
            guard all.count == count else { return false }
            all.append(element)
            return true
        }
        // Another copy has already appended a different element.
        if !isShared { longer.shared = Locked(elements + [element]) }
        return longer
    }
}
