import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response as it will stand in the folder of the mocks: a body, and settings.
struct Recording {
    /// Why a response cannot be recorded.
    struct Refusal: Error {
        /// The request that was answered.
        let route: String
        let reason: String
    }

    /// What the settings must say.
    struct Settings {
        let mock: String
        let route: String
        /// nil where the name of the body says it.
        var status: Int?
        var headers: [String: String] = [:]
        /// nil where the body has the name that it is looked for by.
        var body: String?
        let at: Date
        /// The environment's name.
        let from: String?
        let redactor: SecretRedactor

        /// These over settings of before, of which stays what no server says: delays, fills and the like. Whoever wrote it, no secret
        /// stands in the result.
        ///
        /// - Returns: the settings, and where secrets were left out.
        /// - Throws: where a secret stands in a key.
        func merged(into existing: [String: Any]) throws(Refusal) -> (settings: [String: Any], redacted: [JSONPointer])
        {
            var (settings, places) = (existing, [JSONPointer]())
            // What the recorder itself says holds none, and must be found as it is: a PIN can be the year.
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

        /// `Location` and `Link` are URLs, the latter in angle brackets, whose queries may hold credentials.
        private static func withoutCredentials(_ header: String) -> String {
            header.components(separatedBy: "<").map { part in
                let end = part.firstIndex(of: ">") ?? part.endIndex
                return Redaction.url(String(part[..<end])) + part[end...]
            }.joined(separator: "<")
        }
    }

    /// The body: the usual answer, or the variant that is named after the status of an error.
    let name: MockFileName
    let body: Data
    /// Where secrets were left out of the body.
    let redacted: [JSONPointer]
    let settings: Settings

    /// The path of the body below the folder.
    var file: String { name.path }
    /// The path of the settings below the folder.
    var settingsFile: String { name.settings.path }

    /// Headers that a call can depend on. All others stay out, those with credentials above all.
    private static let kept: [HTTPHeaders.Name] = [.etag, .link, .location, .retryAfter]

    /// - Parameters:
    ///   - request: as it was sent first: redirects drop what must stay out.
    ///   - environment: its secrets are left out.
    ///   - date: when it is recorded.
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
            // An empty .json would be read as JSON that is broken.
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
        if let type, !content.isEmpty, !Self.isSaid(type, by: path) {
            settings.headers[HTTPHeaders.Name.contentType.rawValue] = type
        }
        self.settings = settings
    }

    // MARK: Body

    /// Larger bodies would be searched for longer than a test waits. In bytes.
    static let largestSearched = 8 << 20

    /// - Throws: for a large body in which a secret could stand.
    private static func checkSize(
        of body: Data, _ type: String?, of route: String, _ redactor: SecretRedactor
    ) throws(Refusal) {
        guard body.count > largestSearched, !redactor.isEmpty || mayBeJSON(type) else { return }
        throw Refusal(
            route: route,
            reason: "the body has \(body.count) bytes; more than \(largestSearched) are not searched for secrets")
    }

    private static func mayBeJSON(_ type: String?) -> Bool {
        guard let type = type.map(mediaType) else { return true }
        return type == "application/json" || type.hasSuffix("+json") || type == "text/json"
    }

    /// What was read from a body that is JSON; nil for any other.
    private static func json(_ data: Data, _ type: String?) -> Node? {
        guard mayBeJSON(type) else { return nil }
        // Whatever is wrong with it, it is written as it came.
        return try? JSONReader.read(data, keepsEveryDigit: false)
    }

    /// The body without secrets, and where they stood.
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
            throw Refusal(route: route, reason: "it is no text and holds a secret, which cannot be taken out of it")
        }
        return (Data(redacted.utf8), [JSONPointer(parts: [])])
    }

    /// The extension of a body that is not JSON; nil where the type has none, or where the mock's name has one:
    /// `avatar.png`.
    private static func fileType(of type: String?, for name: MockFileName) -> String? {
        if name.variant == nil, name.mock.split(separator: "/").last?.contains(".") == true { return nil }
        return type.flatMap { MediaType(rawValue: mediaType($0)).fileExtension }
    }

    /// True when the extension of the file says the type. Parameters, such as the encoding of text, it cannot say; JSON has none.
    private static func isSaid(_ type: String, by file: String) -> Bool {
        let ending = file.split(separator: ".").last.map(String.init) ?? ""
        return MediaType(fileExtension: ending)?.rawValue == (ending == "json" ? mediaType(type) : type.lowercased())
    }

    private static func mediaType(_ contentType: String) -> String {
        contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    // MARK: Request

    /// `GET /users/{login}`: values of the enum case stand for any, and so does what must not be written.
    private static func template(_ route: Route, _ request: URLRequest, _ redactor: SecretRedactor) -> String {
        let arguments = route.origin.map(RouteName.arguments) ?? []
        let labels = Dictionary(
            arguments.map { argument in
                (("\(String(describing: argument.value))" as RoutePath).description, argument.label)
            },
            uniquingKeysWith: { first, _ in first })
        let path = route.path.pathAlone
        // A secret may hold slashes.
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

    /// Knows what the environment keeps secret and what the request and the response say in confidence.
    private static func redactor(
        _ response: Response<Data>, _ request: URLRequest, _ environment: Environment?
    ) -> SecretRedactor {
        SecretRedactor(
            environment,
            credentials: Redaction.credentials(of: request) + Redaction.credentials(ofCookies: response.headers))
    }
}

extension MediaType {
    /// The extension of files of this type, nil where it has none of its own.
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
