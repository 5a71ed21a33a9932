import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import FingerpostShared
import Foundation

/// A response in the form that the recorder writes to the mocks folder: a body and settings.
struct Recording {
    /// The error for a response that cannot be recorded.
    struct Refusal: Error {
        /// The method and path of the request, without secrets.
        let route: String
        let reason: String
    }

    /// A page of a list, except the first page.
    struct Page {
        let variant: String
        /// The percent-encoded query items that distinguish the page from other pages.
        let items: [String]
    }

    /// What a server answered to a route's request.
    struct Answer {
        let response: Response<Data>
        /// The request before any redirects. After a redirect, the request may lack credentials that must be redacted
        /// in the response.
        let request: URLRequest
        let route: Route
        /// The pace at which the body arrived. Nil if the client did not read the body as a stream.
        let pace: MockPace?
        /// The credentials of the call. The response discards its credentials when the call ends.
        let credentials: CallCredentials
    }

    /// The name of the body file. A successful response becomes the mock's default response, or the variant of its
    /// page. Any other response becomes a variant that is named after the status.
    let name: MockFileName
    let body: Data
    /// The paths of the redacted values in the body.
    let redacted: [String]
    let settings: Settings
    /// True if the response has the status 204 and answers a call that reads a stream. Such a response means that the
    /// server has no more events.
    let isEndOfStream: Bool

    /// The path of the body file, relative to the mocks folder.
    var file: String { name.path }
    /// The path of the settings file, relative to the mocks folder.
    var settingsFile: String { name.settings.path }
    /// The settings that make this variant the mock's default response. Nil if the variant's name is not a status.
    var defaultSettings: (file: String, settings: Settings)? {
        guard let status = name.variant.flatMap({ Int($0) }) else { return nil }
        var settings = settings
        settings.status = status
        settings.body = file.words(between: "/").last.map(String.init)
        return (MockFileName(name.mock).settings.path, settings)
    }

    /// The headers that are recorded, because later calls can depend on these headers. Another header may contain
    /// credentials, so such a header is recorded only if the mock's settings already contain the header.
    private static let kept: [HTTPHeaders.Name] = [.etag, .link, .location, .retryAfter]

    /// - Parameters:
    ///   - page: the page of a list. Nil for the first page, and for a response that is not a page.
    ///   - environment: the environment whose secrets are redacted.
    ///   - date: the time of the recording.
    /// - Throws: `Refusal` if a secret cannot be removed from the response, or if the response is too large to search
    ///   for secrets.
    init(
        _ answer: Answer, named mock: String, page: Page? = nil, environment: Environment?, at date: Date
    ) throws(Refusal) {
        let response = answer.response
        let type = response.headers[.contentType]
        let redactor = SecretRedactor(
            environment,
            credentials: CallCredentials.of(answer.request) + answer.credentials.found
                + Redaction.credentials(of: response.headers) + CallCredentials.issued(in: response.data, type))
        let isSuccess = response.status.isSuccessStatus
        var name = MockFileName(mock.mockName, variant: isSuccess ? page?.variant : "\(response.status)")
        let addresses = RelativeAddresses(environment, answer.request)
        var template = Self.template(answer.route, answer.request, addresses, redactor)
        if isSuccess, let page { template += try Self.query(of: page, of: template, redactor) }
        var settings = Settings(
            mock: name.mock, template: template, route: answer.route,
            query: answer.request.url?.query(percentEncoded: true) ?? "", at: date, from: environment?.name,
            by: Self.origin(of: answer.route), redactor: redactor)
        settings.pace = answer.pace
        var text = name
        text.type = Self.fileType(of: type, for: name)
        let content = try Self.content(
            response.data, type, of: template, as: text.path, redactor, isOfError: !isSuccess,
            unsearched: answer.credentials.unsearchedRequest
                ?? (redactor.isComplete ? nil : "the call has more secrets than can be looked for"))
        if content.data.isEmpty {
            // An empty .json file would be invalid JSON, so an empty body is recorded in a file whose extension is the
            // status.
            if isSuccess { name.status = response.status }
        } else {
            let isLines = StreamedElements.areLines(
                response.data, type.map { MediaType(contentType: $0).rawValue } ?? "")
            name.type =
                content.isJSON && Self.mayBeJSON(type) ? "json" : Self.fileType(of: type, for: name, isLines: isLines)
        }
        // The mock's name may already end in a status.
        if isSuccess, response.status != name.saidStatus ?? 200 { settings.status = response.status }
        if MockFileName(name.path, of: name.mock) == nil {
            settings.body = name.path.words(between: "/").last.map(String.init)
        }
        settings.others = response.headers
        settings.headers = Self.headers(of: response, addresses)
        if let type, !content.data.isEmpty, !Self.isImplied(type, by: name.path) {
            settings.headers[HTTPHeaders.Name.contentType.rawValue] = Self.asText(type)
        }
        isEndOfStream = answer.pace != nil && response.status == 204 && content.data.isEmpty
        (self.name, self.settings) = (name, settings)
        (body, redacted) = (content.data, content.redacted)
    }

    private static func headers(of response: Response<Data>, _ addresses: RelativeAddresses) -> [String: String] {
        var headers: [String: String] = [:]
        for name in kept {
            headers[name.rawValue] = response.headers[name].map { addresses.header(name, asText($0)) }
        }
        return headers
    }

    /// Escapes the start of `{env.…}` in a header, so that the mock sends the text unchanged.
    static func asText(_ header: String) -> String {
        header.replacing(bytesOf: LayeredEnvironment.keyStart, with: StubResponse.escapedKeyStart)
    }

    // MARK: Body

    /// The size in bytes of the largest body that is searched for secrets (8 MiB). Searching a larger body would take
    /// too long in a test.
    static let largestSearched = 8 << 20

    /// The body that is recorded, without secrets.
    struct Content {
        let data: Data
        /// The paths of the redacted values.
        let redacted: [String]
        let isJSON: Bool
    }

    /// Returns the body that is recorded, without secrets.
    ///
    /// - Parameters:
    ///   - route: the route that an error names.
    ///   - file: the file that an error names.
    ///   - redactor: replaces the secrets of the call.
    ///   - isOfError: true for the body of an error.
    ///   - unsearched: why the call was not searched for secrets. Nil if the call was searched.
    /// - Throws: `Refusal` if a secret cannot be removed, or if the body cannot be searched.
    static func content(
        _ body: Data, _ type: String?, of route: String, as file: String, _ redactor: SecretRedactor,
        isOfError: Bool = false, unsearched: String? = nil
    ) throws(Refusal) -> Content {
        if let unsearched { throw Refusal(route: route, reason: unsearched) }
        if body.count > largestSearched {
            throw Refusal(
                route: route,
                reason: "the body is longer than \(largestSearched) bytes, so it is not searched for secrets; write "
                    + "\(file) by hand, or end the loop over a stream earlier")
        }
        try checkReadable(body, type, of: route)
        let whole = { (isRedacted: Bool) in isRedacted ? [""] : [] }
        do throws(FixedSecret) {
            if let stream = StreamedElements(body, contentType: type) {
                let recorded = try RedactedStream(stream, in: body, redactor: redactor)
                return Content(data: recorded.data, redacted: whole(recorded.isRedacted), isJSON: false)
            }
            if let root = json(body, type) {
                let recorded = try RedactedJSON(root, in: body, redactor: redactor, isOfError: isOfError)
                return Content(data: recorded.data, redacted: recorded.redacted, isJSON: true)
            }
        } catch {
            throw Refusal(route: route, reason: error.reason(in: "the body"))
        }
        let isForm = type.map { MediaType(contentType: $0).isForm } ?? false
        if !isForm { try checkNames(in: body, type, of: route, as: file, redactor) }
        let refusal = { (kind: String, place: String) in
            Refusal(
                route: route,
                reason: "the body is \(kind) and contains a secret, which cannot be removed\(place); write \(file) by "
                    + "hand, with a made-up value")
        }
        guard let text = body.text else {
            if redactor.findsSecret(inBinary: body, isForm: isForm) { throw refusal("binary", "") }
            return Content(data: body, redacted: [], isJSON: false)
        }
        let shown = isForm ? redactor.hidden(form: text) : redactor.hidden(text)
        if isForm || shown.isSame(as: text) {
            return Content(data: Data(shown.utf8), redacted: whole(!shown.isSame(as: text)), isJSON: false)
        }
        let place = zip(text.utf8, shown.utf8).prefix { $0 == $1 }.count
        let line = Array(text.utf8).lines(at: [place])[0]
        throw refusal("neither JSON nor a form nor a stream", " from line \(line)")
    }

    /// - Throws: `Refusal` if a text body contains a value under the name of a credential. Callers pass no JSON, forms
    ///   or streams.
    private static func checkNames(
        in body: Data, _ type: String?, of route: String, as file: String, _ redactor: SecretRedactor
    ) throws(Refusal) {
        // Searchable text contains no NUL byte in any charset, and most of its first bytes are ASCII.
        let start = body.prefix(4096)
        if start.contains(0) || start.reduce(0, { $1 < 0x80 ? $0 : $0 + 1 }) > start.count / 2, body.text == nil {
            return
        }
        let bytes = [UInt8](body)
        guard let (name, place) = NamedText.first(in: bytes, type) else { return }
        throw Refusal(
            route: route,
            reason: redactor.shown(
                "line \(bytes.lines(at: [place.lowerBound])[0]) of the body has a value with the name \(name), which "
                    + "cannot be removed; write \(file) by hand, with a made-up value"))
    }

    /// - Throws: `Refusal` if the body is text that cannot be searched, although the client can read it.
    private static func checkReadable(_ body: Data, _ type: String?, of route: String) throws(Refusal) {
        let charset = type.flatMap { MediaType(contentType: $0).charset }?.lowercased()
        let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]]
        let isWide =
            charset.map { $0.begins(with: "utf-16") || $0.begins(with: "utf-32") || $0.begins(with: "ucs") } ?? false
        let isText = type.map { MediaType(contentType: $0) }.map { $0.isJSON || $0.isForm || $0.isText } ?? false
        if isWide || marks.contains(where: body.starts(with:)) || isText && body.contains(0) {
            throw Refusal(
                route: route, reason: "the body is text in UTF-16 or UTF-32, which is not searched for secrets")
        }
        // A body without braces, brackets and quotes, such as `203.0.113.7`, contains no names and needs no search.
        guard body.contains(where: { $0.isOne(of: "{[\"'") }), body.text == nil || JSONReader.inspect(body) == nil
        else { return }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        // `NoContent` reads nothing, but the decoder parses the whole body.
        guard (try? decoder.decode(NoContent.self, from: body)) != nil else { return }
        throw Refusal(
            route: route,
            reason: "a JSONDecoder can read the body, but the search for secrets cannot, because the body is not valid "
                + "JSON in UTF-8, or is nested too deeply")
    }

    private static func mayBeJSON(_ type: String?) -> Bool {
        type.map { MediaType(contentType: $0).isJSON } ?? true
    }

    /// Parses a body as JSON. Returns nil if the body is not JSON. An object or a list is read as JSON in every media
    /// type, because some servers send JSON as text.
    private static func json(_ data: Data, _ type: String?) -> Node? {
        // A body with invalid JSON is recorded like other text. The test for UTF-8 comes first, because JSONReader
        // would otherwise describe where the invalid bytes are.
        guard data.text != nil, let root = JSONReader.inspect(data) else { return nil }
        return switch root.value {
        case .array, .dictionary: root
        // If the response has no content type, the client reads a string as text. If the string were recorded in a
        // .json file, the client would read the string as JSON.
        case .string where type == nil: nil
        default: mayBeJSON(type) ? root : nil
        }
    }

    /// The file extension for a body that is not JSON. Nil if the media type has no extension, or if the mock's name
    /// already ends in an extension, as in `avatar.png`.
    private static func fileType(of type: String?, for name: MockFileName, isLines: Bool = false) -> String? {
        if name.variant == nil, name.mock.words(between: "/").last?.contains(bytesOf: ".") == true { return nil }
        return isLines ? "ndjson" : type.flatMap { MediaType(contentType: $0).fileExtension }
    }

    /// Returns true if a file's extension implies the content type. An extension does not imply parameters such as
    /// `charset`, except that JSON is always in UTF-8 (RFC 8259 section 8.1). JSON with another declared charset is
    /// read as text in this charset.
    private static func isImplied(_ type: String, by file: String) -> Bool {
        let implied = MediaType(fileName: file)?.rawValue
        let isUTF8 = MediaType(contentType: type).charset.map { $0.lowercased() == "utf-8" } ?? true
        return implied
            == (implied == "application/json" && isUTF8 ? MediaType(contentType: type).rawValue : type.lowercased())
    }

    // MARK: Request

    /// Returns the `by` entry of the settings: `App.Issues/list` if the mock has the name of the enum case, or
    /// `App.Issues.list` if the route sets its mock's name. Returns nil for a route that was not created from a router,
    /// and for an enum case whose name cannot be read.
    static func origin(of route: Route) -> String? {
        var unnamed = route
        unnamed.mock = nil
        guard let router = route.origin, let names = try? unnamed.mockNames else { return nil }
        let name = RouterName(type(of: router)).qualifiedName
        return names.count > 1 ? name + (route.mock == nil ? "/" : ".") + names[1].rawValue : name
    }

    /// Returns the template of the request, such as `GET /users/{login}`. A path segment becomes a placeholder if an
    /// associated value of the route's enum case equals the segment, or a part of the segment before or after a dot or
    /// a colon. The placeholder has the value's label. A segment that contains a secret becomes `{secret}`, and a
    /// segment that contains an environment key becomes `{key}`.
    private static func template(
        _ route: Route, _ request: URLRequest, _ addresses: RelativeAddresses, _ redactor: SecretRedactor
    ) -> String {
        let arguments = route.origin.map(RouteName.arguments) ?? []
        let labels = Dictionary(
            arguments.map { argument in
                (("\(String(describing: argument.value))" as RoutePath).description, argument.label)
            },
            uniquingKeysWith: { first, _ in first })
        let path = addresses.path(of: route.path)
        // A secret may contain slashes, so it can span several segments.
        let secrets = redactor.places(in: Array(path.utf8))
        let segments = path.words(between: "/").map { segment in
            let parts = [segment] + segment.split { $0 == "." || $0 == ":" }
            if let label = parts.lazy.compactMap({ labels[String($0)] }).first { return "{\(label)}" }
            // The segment may contain more than the environment key.
            if segment.contains(bytesOf: "{") { return "{key}" }
            let start = path.utf8.distance(from: path.startIndex, to: segment.startIndex)
            let range = start..<start + segment.utf8.count
            let isSecret =
                secrets.contains { $0.overlaps(range) } || redactor.hidden(String(segment)) != segment
            return isSecret ? "{secret}" : String(segment)
        }
        return "\(request.httpMethod ?? "GET") /" + segments.joined(separator: "/")
    }

    /// Returns the query of a page's `for` entry, such as `?page=2`. Query items with a secret are left out.
    ///
    /// - Throws: `Refusal` if all items contain a secret.
    private static func query(
        of page: Page, of route: String, _ redactor: SecretRedactor
    ) throws(Refusal) -> String {
        let items = page.items.filter { !$0.isEmpty && redactor.hidden(form: $0) == $0 }
        if items.isEmpty {
            throw Refusal(
                route: route,
                reason: "it is a later page of a list, and nothing in its query but secrets tells it from the first "
                    + "page")
        }
        return "?" + items.joined(separator: "&")
    }
}

extension RouteName {
    /// Returns the associated values of an enum case, or the properties of a struct, with their labels. The label of an
    /// unlabelled value is its position.
    fileprivate static func arguments(of value: any RouteConvertible) -> [(label: String, value: Any)] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let payload = mirror.children.first else {
            // For an endpoint that is a struct, return its properties.
            return mirror.children.compactMap { child in child.label.map { ($0, child.value) } }
        }
        return values(in: payload.value).enumerated().map { ($1.label ?? "\($0)", $1.value) }
    }
}
