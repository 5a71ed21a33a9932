import CallSupport

@testable import FingerpostTransfers

@Suite("Live: forms with files", .inTurn)
struct LiveMultipartTests {
    /// A part that must arrive.
    typealias Expected = (name: String?, fileName: String?, contentType: String?, body: Data)

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let parts: [Expected]
        let form: @Sendable (TemporaryFolder) -> MultipartForm

        init(
            _ description: String, _ parts: [Expected], _ form: @escaping @Sendable (TemporaryFolder) -> MultipartForm
        ) { (testDescription, self.parts, self.form) = (description, parts, form) }
    }

    private static func field(_ name: String, _ value: String) -> Expected { (name, nil, nil, Data(value.utf8)) }

    private static let bytes = Data((0...255).map { UInt8($0) })
    private static let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    private static let cases = [
        Case("fields", [field("a", "1"), field("b", ""), field("a", "2")]) { _ in
            MultipartForm().field("a", "1").field("n", nil).field("b", "").data("d", nil).file("f", nil).field("a", "2")
        },
        Case("unicode", [("größe", "фото 🦉.png", "image/png", Data("é🦉".utf8))]) { _ in
            MultipartForm().data("größe", Data("é🦉".utf8), fileName: "фото 🦉.png")
        },
        Case("line breaks and what looks like a boundary", [field("text", "a\r\nb\nc\rd\r\n--x--\r\n--fingerpost\r\n")])
        { _ in MultipartForm().field("text", "a\r\nb\nc\rd\r\n--x--\r\n--fingerpost\r\n") },
        Case(
            "quotes and line breaks in names",
            [
                Expected("a%22; x=%22", "b%22%0D%0AX-Evil: 1%0D%0A%0D%0A.txt", "text/plain", Data("body".utf8)),
                ("back\\slash", nil, nil, Data()),
            ]
        ) { _ in
            MultipartForm()
                .data(
                    "a\"; x=\"", Data("body".utf8), fileName: "b\"\r\nX-Evil: 1\r\n\r\n.txt", contentType: "text/plain"
                )
                .field("back\\slash", "")
        },
        Case("every byte", [("data", nil, "application/octet-stream", bytes)]) { _ in
            MultipartForm().data("data", bytes)
        },
        Case(
            "files",
            [
                ("photo", "photo.JPG", "image/jpeg", bytes), ("empty", "empty.txt", "text/plain", Data()),
                ("other", "other.name.csv", "text/csv", bytes), ("typed", "photo.JPG", "x/y", bytes),
                ("unknown", "README", "application/octet-stream", Data("r".utf8)),
            ]
        ) { folder in
            MultipartForm().file("photo", folder["photo.JPG"]).file("empty", folder["empty.txt"])
                .file("other", folder["photo.JPG"], fileName: "other.name.csv")
                .file("typed", folder["photo.JPG"], contentType: "x/y").file("unknown", folder["README"])
        },
        Case(
            "what is too large for memory",
            [field("first", "1"), ("file", "large.bin", "application/octet-stream", large), field("last", "2")]
        ) { folder in MultipartForm().field("first", "1").file("file", folder["large.bin"]).field("last", "2") },
        Case("large data", [("data", "data.zip", "application/zip", large)]) { _ in
            MultipartForm().data("data", large, fileName: "data.zip")
        },
    ]

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["empty.txt": "", "README": "r"])
        try folder.write(bytes, to: "photo.JPG")
        try folder.write(large, to: "large.bin")
        return folder
    }

    @Test("A form arrives part by part", arguments: cases) func form(_ expected: Case) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let folder = try Self.folder()
        let form = expected.form(folder)
        // Many clients set a default content type for their JSON calls.
        try await APIClient(baseURL: server.baseURL) {
            $0.headers = [.contentType: "application/json"]
        }.send(Route.post("form").multipart(form))
        #expect(try form.temporaryFiles.isEmpty)
        let request = try #require(server.requests.first)
        let parts = try MultipartParser.parts(of: request.body, contentType: request["Content-Type"])
        let areSame = zip(parts, expected.parts).map { ($0.name, $0.fileName, $0.contentType, $0.body) == $1 }
        #expect(areSame == expected.parts.map { _ in true } && parts.count == areSame.count, "\(parts)")
        #expect(Set(parts.flatMap(\.headers.keys)).isSubset(of: ["content-disposition", "content-type"]))
    }

    // MARK: Invalid forms

    enum Missing: String, CaseIterable, Sendable {
        case vanishedFile, folder, missingFile, pipe, webURL, vanishedLargeFile
    }

    @Test("A file that cannot be read fails the call, and nothing is sent", arguments: Missing.allCases, [false, true])
    func unreadable(_ missing: Missing, _ asForm: Bool) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let folder = try Self.folder()
        let file: URL
        switch missing {
        case .vanishedFile: file = folder["photo.JPG"]
        case .vanishedLargeFile: file = folder["large.bin"]
        case .folder: file = folder.url
        case .missingFile: file = folder["missing.png"]
        case .webURL: file = URL(string: "https://user:secret@example.com/x.png")!
        case .pipe:
            file = folder["pipe"]
            try #require(mkfifo(file.path, 0o600) == 0)
        }
        let route =
            asForm ? Route.post("x").multipart(MultipartForm().file("f", file)) : Route.post("x").body(.file(file))
        if missing == .vanishedFile || missing == .vanishedLargeFile { try FileManager.default.removeItem(at: file) }
        let client = APIClient(baseURL: server.baseURL)
        let error = try await failure { try await client.send(route) }
        #expect((error.kind, server.connectionCount) == (.encoding, 0))
        #expect(error.message.contains(missing == .webURL ? "not a file URL" : file.lastPathComponent), "\(error)")
        #expect(!"\(error)".contains("secret"))
    }

    @Test("An invalid boundary, a name with a NUL, and a type that would start another header are errors")
    func invalid() throws {
        let boundaries = ["", "a b", "a\r\nb", "a\"b", String(repeating: "x", count: 71)]
        let forms = boundaries.map { (MultipartForm(boundary: $0).field("a", "b"), "boundary") }
        let parts = [
            (MultipartForm().field("a\0b", "1"), "NUL"), (MultipartForm().data("a", Data(), fileName: "x\0"), "NUL"),
            (MultipartForm().data("a", Data(), contentType: "a/b\0"), "NUL"),
            (MultipartForm().data("a", Data(), contentType: "a/b\r\nX: 1"), "\"a\""),
            (MultipartForm().data("a", Data(), contentType: "a/b\n"), "\"a\""),
        ]
        for (form, message) in forms + parts {
            let error = try #require(throws: APIError.self) {
                try Route.post("http://h.example").multipart(form).urlRequest()
            }
            #expect(error.kind == .encoding && error.message.contains(message), "\(error)")
            #expect(!error.message.contains("\0"))
        }
    }

    /// A form with the boundary `--b--b`, so that its delimiter `----b--b` repeats itself.
    private static func bounded(_ content: String) -> Route {
        Route.post("http://h.example").multipart(MultipartForm(boundary: "--b--b").field("a", content))
    }

    @Test("A given boundary must not occur in the content, and a part of it may") func boundaryInContent() {
        let contents = [
            ("----b--b", true), ("x\r\n----b--b--\r\n", true), ("------b--b", true), ("----b----b--b", true),
            (String(repeating: "-", count: 70) + "b--b", true), ("", false), ("--b--b", false), ("---b--b", false),
            ("----b--", false), ("----b-\n-b", false),
        ]
        for (content, isError) in contents {
            var (line, hasBody) = (String?.none, false)
            do throws(APIError) {
                hasBody = try Self.bounded(content).urlRequest().httpBody != nil
            } catch { line = error.line }
            let expected = isError ? "encoding: the part \"a\" contains the boundary \"----b--b\"" : nil
            #expect((line, hasBody) == (expected, !isError), "\(content)")
        }
    }

    @Test("A given boundary is found in a file, wherever it starts", .heavy) func boundaryInFile() async throws {
        let client = APIClient(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        for offset in [0, 65_530, 65_536, 70_000] {
            let folder = try TemporaryFolder()
            try folder.write(Data(repeating: 0x2D, count: offset) + Data("--cut".utf8), to: "file")
            let form = MultipartForm(boundary: "cut").data("a", Self.large).file("f", folder["file"])
            let error = try await failure { try await client.send(Route.post("x").multipart(form)) }
            #expect(error.line == "encoding: the part \"f\" contains the boundary \"--cut\"", "\(offset)")
        }
    }

    @Test("Copies of a form do not share the parts that are added later") func copies() throws {
        let form = MultipartForm().field("a", "1")
        let (one, two) = (form.field("b", "2"), form.field("c", "3").field("d", "4"))
        let names = [form, one, two, one.field("e", "5")].map { $0.parts.map(\.name) }
        #expect(names == [["a"], ["a", "b"], ["a", "c", "d"], ["a", "b", "e"]])
    }

    // MARK: Writing to a temporary file

    @Test("A call that ends while its form is written leaves no file", arguments: [true, false])
    func ended(isCancelled: Bool) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200) }
        let form = MultipartForm().data("data", Self.large)
        let route = Route.post("x").multipart(form).timeout(isCancelled ? .seconds(60) : .nanoseconds(1))
        let task = Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            return try await APIClient(baseURL: server.baseURL).data(for: route)
        }
        let error = try await failure { try await task.value }
        #expect((error.kind, server.requestCount) == (isCancelled ? .cancelled : .timedOut, 0))
        await poll { (try? form.temporaryFiles.isEmpty) == true }
    }
}
