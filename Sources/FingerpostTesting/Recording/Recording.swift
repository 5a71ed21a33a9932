import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response as the recorder writes it to the mocks folder: a body and settings.
struct Recording {
    /// Why a response cannot be recorded.
    struct Refusal: Error {
        /// The method and path of the request, without secrets.
        let route: String
        let reason: String
    }

    /// The recorded values of the settings file.
    struct Settings {
        let mock: String
        /// The value of `for`: method and path template.
        let route: String
        /// nil if the status follows from the name of the body file.
        var status: Int?
        var headers: [String: String] = [:]
        /// nil if the body file has the default name.
        var body: String?
        let at: Date
        /// The environment's name.
        let from: String?
        let redactor: SecretRedactor

        /// Merges the recorded values into the existing settings. Settings that are not recorded, such as delays and
        /// fills, are kept. Secrets in the existing settings are redacted too.
        ///
        /// - Returns: the settings, and the places of the redacted values.
        /// - Throws: `Refusal` if a key contains a secret.
        func merged(into existing: [String: Any]) throws(Refusal) -> (settings: [String: Any], redacted: [JSONPointer])
        {
            var (settings, places) = (existing, [JSONPointer]())
            // The recorder's own values are added after redaction: they contain no secret, but a PIN could equal the
            // year.
            var recorded = settings["recorded"] as? [String: Any] ?? [:]
            for key in ["at", "from"] { recorded[key] = nil }
            settings["recorded"] = recorded
            for key in ["for", "status", "body"] { settings[key] = nil }
            settings["headers"] = headers.isEmpty ? nil : headers
            do throws(SecretKey) { settings = try redacted(settings, at: [], &places) } catch {
                throw Refusal(route: route, reason: error.reason(in: "the settings of \"\(mock)\""))
            }
            settings["for"] = route
            settings["status"] = status
            settings["body"] = body
            recorded = settings["recorded"] as? [String: Any] ?? [:]
            recorded["at"] = ISO8601Text.text(of: Date(timeIntervalSince1970: at.timeIntervalSince1970.rounded(.down)))
            recorded["from"] = from
            settings["recorded"] = recorded
            return (settings, places)
        }

        private func redacted(
            _ object: [String: Any], at path: [String], _ places: inout [JSONPointer]
        ) throws(SecretKey) -> [String: Any] {
            var redacted = object
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                try redactor.check(key, of: path)
                redacted[key] = try self.redacted(value, at: path + [key], &places)
            }
            return redacted
        }

        private func redacted(
            _ value: Any, at path: [String], _ places: inout [JSONPointer]
        ) throws(SecretKey) -> Any {
            switch value {
            case let text as String:
                let redacted = redactor.redact(Self.urlHeaders.contains(path) ? Self.withoutCredentials(text) : text)
                if redacted != text { places.append(JSONPointer(parts: path)) }
                return redacted
            case let list as [Any]:
                var redacted: [Any] = []
                for (index, element) in list.enumerated() {
                    redacted.append(try self.redacted(element, at: path + ["\(index)"], &places))
                }
                return redacted
            case let object as [String: Any]: return try redacted(object, at: path, &places)
            default: return value
            }
        }

        private static let urlHeaders = [HTTPHeaders.Name.location, .link].map { ["headers", $0.rawValue] }

        /// Redacts credentials in the queries of `Location` and `Link`. The URLs of `Link` are in angle brackets.
        private static func withoutCredentials(_ header: String) -> String {
            header.components(separatedBy: "<").map { part in
                let end = part.firstIndex(of: ">") ?? part.endIndex
                return Redaction.url(String(part[..<end])) + part[end...]
            }.joined(separator: "<")
        }
    }

    /// The name of the body file: the default answer, or a variant named after the status if it is not a success.
    let name: MockFileName
    let body: Data
    /// The places of the redacted values in the body.
    let redacted: [JSONPointer]
    let settings: Settings

    /// The path of the body, relative to the folder.
    var file: String { name.path }
    /// The path of the settings, relative to the folder.
    var settingsFile: String { name.settings.path }

    /// The recorded headers: those on which calls depend. No others are recorded, as they may contain credentials.
    private static let kept: [HTTPHeaders.Name] = [.etag, .link, .location, .retryAfter]

    /// - Parameters:
    ///   - request: the request before redirects, which drop credentials that must be redacted.
    ///   - environment: the environment whose secrets are redacted.
    ///   - date: the time of the recording.
    /// - Throws: `Refusal` if the response cannot be recorded without a secret, or is too large to search for secrets.
    init(
        _ response: Response<Data>, to request: URLRequest, of route: Route, named mock: String,
        environment: Environment?, at date: Date
    ) throws(Refusal) {
        let redactor = Self.redactor(response, request, environment)
        let isSuccess = response.status.isSuccessStatus
        var name = MockFileName(MockFileName.mockName(of: mock), variant: isSuccess ? nil : "\(response.status)")
        let type = response.headers[.contentType]
        var settings = Settings(
            mock: name.mock, route: Self.template(route, request, redactor), at: date, from: environment?.name,
            redactor: redactor)
        try Self.checkSize(of: response.data, type, of: settings.route, redactor)
        let json = Self.json(response.data, type)
        let content: Data
        (content, redacted) = try Self.content(response.data, json, of: settings.route, redactor)
        if content.isEmpty {
            // An empty .json file would be invalid JSON, so the status becomes the extension.
            if isSuccess { name.status = response.status }
        } else {
            name.type = json == nil ? Self.fileType(of: type, for: name) : "json"
            if isSuccess, response.status != 200 { settings.status = response.status }
        }
        let path = name.path
        if MockFileName(path, of: name.mock) == nil {
            settings.body = path.split(separator: "/").last.map(String.init)
        }
        self.name = name
        body = content
        for name in Self.kept {
            settings.headers[name.rawValue] = response.headers[name]
        }
        if let type, !content.isEmpty, !Self.isImplied(type, by: path) {
            settings.headers[HTTPHeaders.Name.contentType.rawValue] = type
        }
        self.settings = settings
    }

    // MARK: Body

    /// The size in bytes, 8 MiB, up to which bodies are searched for secrets. Searching larger ones would take too long
    /// in a test.
    static let largestSearched = 8 << 20

    /// - Throws: `Refusal` for a larger body that could contain a secret.
    private static func checkSize(
        of body: Data, _ type: String?, of route: String, _ redactor: SecretRedactor
    ) throws(Refusal) {
        guard body.count > largestSearched, !redactor.isEmpty || mayBeJSON(type) else { return }
        throw Refusal(
            route: route,
            reason: "the body has \(body.count) bytes, and only \(largestSearched) can be searched for secrets")
    }

    private static func mayBeJSON(_ type: String?) -> Bool {
        guard let type = type.map(mediaType) else { return true }
        return type == "application/json" || type.hasSuffix("+json") || type == "text/json"
    }

    /// The parsed body; nil if it is not JSON.
    private static func json(_ data: Data, _ type: String?) -> Node? {
        guard mayBeJSON(type) else { return nil }
        // Invalid JSON is recorded like other text.
        return try? JSONReader.read(data, keepsEveryDigit: false)
    }

    /// The body without secrets, and the places of the redacted values.
    private static func content(
        _ data: Data, _ json: Node?, of route: String, _ redactor: SecretRedactor
    ) throws(Refusal) -> (Data, redacted: [JSONPointer]) {
        if let json {
            do throws(SecretKey) {
                let recorded = try RecordedJSON(json, in: data, redactor: redactor)
                return (recorded.data, recorded.redacted)
            } catch {
                throw Refusal(route: route, reason: error.reason(in: "the body"))
            }
        }
        if redactor.isEmpty { return (data, []) }
        let text = String(decoding: data, as: UTF8.self)
        let redacted = redactor.redact(text)
        if redacted == text { return (data, []) }
        guard text.utf8.elementsEqual(data) else {
            throw Refusal(route: route, reason: "the body is binary and contains a secret, which cannot be removed")
        }
        return (Data(redacted.utf8), [JSONPointer(parts: [])])
    }

    /// The extension for a body that is not JSON; nil if its type has none, or if the mock's name has one, as in
    /// `avatar.png`.
    private static func fileType(of type: String?, for name: MockFileName) -> String? {
        if name.variant == nil, name.mock.split(separator: "/").last?.contains(".") == true { return nil }
        return type.flatMap { MediaType(rawValue: mediaType($0)).fileExtension }
    }

    /// True if the content type follows from the file's extension. An extension implies no parameters, such as
    /// `charset`; the parameters of JSON are ignored, as it defines none (RFC 8259 section 11).
    private static func isImplied(_ type: String, by file: String) -> Bool {
        let ending = file.split(separator: ".").last.map(String.init) ?? ""
        return MediaType(fileExtension: ending)?.rawValue == (ending == "json" ? mediaType(type) : type.lowercased())
    }

    private static func mediaType(_ contentType: String) -> String {
        contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    // MARK: Request

    /// The value of `for`, such as `GET /users/{login}`: segments that are values of the enum case become placeholders
    /// with the label as name, and segments with a secret become `{secret}`.
    private static func template(_ route: Route, _ request: URLRequest, _ redactor: SecretRedactor) -> String {
        let arguments = route.origin.map(RouteName.arguments) ?? []
        let labels = Dictionary(
            arguments.map { argument in
                (("\(String(describing: argument.value))" as RoutePath).description, argument.label)
            },
            uniquingKeysWith: { first, _ in first })
        let path = route.path.pathAlone
        // A secret may contain slashes, so it can span several segments.
        let secrets = redactor.matches(in: Array(path.utf8)).map(\.range)
        let segments = path.split(separator: "/").map { segment in
            if let label = labels[String(segment)] { return "{\(label)}" }
            let start = path.utf8.distance(from: path.startIndex, to: segment.startIndex)
            let range = start..<start + segment.utf8.count
            return secrets.contains { $0.overlaps(range) } ? "{secret}" : String(segment)
        }
        return "\(request.httpMethod ?? "GET") /" + segments.joined(separator: "/")
    }

    // MARK: Redaction

    /// A redactor for the secrets of the environment, the credentials of the request and the cookies of the response.
    private static func redactor(
        _ response: Response<Data>, _ request: URLRequest, _ environment: Environment?
    ) -> SecretRedactor {
        SecretRedactor(
            environment,
            credentials: Redaction.credentials(of: request) + Redaction.credentials(ofCookies: response.headers))
    }
}

extension MediaType {
    /// The extension for files of this type; nil if there is none.
    fileprivate var fileExtension: String? {
        let special = [
            "image/jpeg": "jpg", "text/plain": "txt", "text/html": "html", "text/javascript": "js",
            "image/svg+xml": "svg",
        ]
        if let known = special[rawValue] { return known }
        let subtype = rawValue.split(separator: "/").last.map(String.init) ?? ""
        return MediaType(fileExtension: subtype)?.rawValue == rawValue ? subtype : nil
    }
}
