import FingerpostFiles
import Foundation

/// Turns routes into requests. Builds the URL as bytes in one buffer with a single call to `URL(string:)`, and sets the
/// headers in one assignment.
///
/// Rejects everything that HTTP does not allow, because Foundation would silently drop some of the invalid parts and
/// send the others.
struct RequestBuilder: Sendable {
    /// The base URL that relative paths are joined to.
    var base: BaseURL.Source
    /// The client's headers; a route's header replaces the client's header with the same name.
    var headers: HTTPHeaders = [:]
    /// The checked form of ``headers``, which is used for requests that add no headers of their own.
    var checkedHeaders: [String: String]?
    /// The servers that get all of ``headers``; nil if every server gets all of them.
    var credentialServers: [BaseURL.Source]?
    /// True if an environment was chosen. The chosen environment's server gets none of the client's credentials.
    var withholdsCredentials = false
    /// The names of the headers of the client's authorization. These headers are credentials even if their names look
    /// harmless.
    var authorizationNames: Locked<Set<HTTPHeaders.Name>>?
    var dialect = QueryDialect.standard
    var encoder = JSONEncoder.standard
    /// Finds the values of the environment keys that the route names.
    var lookup = KeyLookup.environment(nil)
    /// The client's closure that changes the request after the route's own closure has changed it.
    var configure: (@Sendable (inout URLRequest, Route) throws -> Void)?

    /// - Parameter form: a stream of the route's body if the body was written to a file; otherwise nil.
    func request(for route: Route, form: BodyStream? = nil) throws(APIError) -> URLRequest {
        do {
            var request = try resolving { try build(route, form) }
            if route.configure != nil || configure != nil { try change(&request, for: route) }
            return request
        } catch {
            throw APIError(encoding: error)
        }
    }

    /// The URL of a route without its parameters.
    func url(of route: Route) throws -> URL { try resolving { try url(of: route, parameters: nil) } }

    /// Encodes parameters. Setting the task-local lookup of environment keys costs time, and few parameters name keys,
    /// so the first attempt sets no lookup. If this attempt fails, the parameters are encoded again with the lookup.
    private func resolving<Value>(_ encode: () throws -> Value) throws -> Value {
        do { return try encode() } catch { return try KeyLookup.$current.withValue(lookup, operation: encode) }
    }

    private func build(_ route: Route, _ form: BodyStream?) throws -> URLRequest {
        let parameters = route.placedParameters
        try Self.check(route, bodyParameters: parameters.body)
        var request = URLRequest(url: try url(of: route, parameters: parameters.query))
        if route.method != .get { request.httpMethod = route.method.rawValue }
        let body = try form.map(Body.stream) ?? self.body(of: route, parameters: parameters.body)
        try setHeaders(of: route, body: body, on: &request)
        if let data = body?.data { request.httpBody = data }
        try body?.stream?.open(in: &request)
        if body?.contentType == nil { request.addMissingContentType() }
        return request
    }

    /// Lets the closures of the route and of the client change the request.
    private func change(_ request: inout URLRequest, for route: Route) throws(APIError) {
        do {
            let stream = request.httpBodyStream
            try route.configure?(&request)
            try configure?(&request, route)
            if let stream, let other = request.httpBodyStream, other !== stream {
                throw APIError(
                    .invalidRoute, "the route's body is a stream, and configure sets another one",
                    fix: "set the stream in one of the two places")
            }
            // The closures may have changed the request's server.
            try dropCredentials(from: &request, of: route)
            try request.complete()
        } catch {
            // The call does not redact the credentials in the changed request, because that request is not sent. This
            // code therefore redacts the credentials.
            throw APIError(encoding: error).redacted(
                by: CallSecrets(credentials: Redaction.credentials(of: request)))
        }
    }

    // MARK: Method and timeout

    private static func check(_ route: Route, bodyParameters: Parameters?) throws(APIError) {
        let method = route.method
        if method != .get { try method.check() }
        try route.timeout?.checkTimeout()
        let hasBody = route.body != nil
        if hasBody || bodyParameters != nil, method.forbidsBody {
            throw APIError(
                .invalidRoute, "\(method) cannot carry a body",
                fix: "put the values into the query, or use POST, PUT, PATCH, DELETE or QUERY")
        }
        if hasBody, bodyParameters != nil {
            throw APIError(
                .invalidRoute, "the route has both a body and parameters encoded as one",
                fix: "remove one of them, or set the encoding to .query")
        }
    }

    // MARK: URL

    private func url(of route: Route, parameters: Parameters?) throws -> URL {
        let path = try route.path.resolved(by: lookup)
        try path.check()
        let isAbsolute = path.isAbsolute
        guard !isAbsolute || route.host == nil && route.scheme == nil && route.port == nil else {
            throw APIError(
                .invalidRoute, "the path is an absolute URL, but the route also sets a host, scheme or port",
                fix: "write them into the URL, or make the path relative")
        }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        /// The byte to write before the next query item. A `?` without a query is kept.
        var separator: UInt8? = UInt8(ascii: "?")
        func appendQuery(_ query: some Collection<UInt8>) {
            if let separator, separator == UInt8(ascii: "?") || !query.isEmpty { buffer.append(separator) }
            buffer.append(contentsOf: query)
            if separator != UInt8(ascii: "&") { separator = query.isEmpty ? nil : UInt8(ascii: "&") }
        }
        let question = path.bytes.firstIndex(of: UInt8(ascii: "?"))
        let ownPath = path.bytes[..<(question ?? path.bytes.endIndex)]
        let baseURL = isAbsolute ? nil : try baseURL(of: route)
        if let baseURL {
            buffer.append(baseURL.prefix)
            if ownPath.isEmpty ? baseURL.endsInSlash : ownPath.first != UInt8(ascii: "/") {
                buffer.append(UInt8(ascii: "/"))
            }
        }
        buffer += ownPath
        if let query = baseURL?.query { appendQuery(query.utf8) }
        if let question { appendQuery(path.bytes[(question + 1)...]) }
        try append(route.query, parameters, of: route, after: separator, to: &buffer)
        let text = String(decoding: buffer, as: UTF8.self)
        // Foundation accepts a URL with a host such as `h%FF`, which is not valid UTF-8, but the parsed URL has no
        // host.
        guard var url = URL(string: text), !isAbsolute || url.host != nil else {
            throw APIError(
                .invalidRoute, "\"\(Redaction.url(text))\" is not a URL", fix: "check the path and the base URL")
        }
        if isAbsolute {
            // A base URL has been checked already. An absolute path is not joined to the base URL, so the resulting URL
            // still has to be checked.
            url = URLText.resolvingHost(of: url)
            try url.check()
        }
        return url
    }

    /// The base URL of a route. If the route sets a host, the URL is made from the route's scheme, host and port;
    /// otherwise it is the client's base URL.
    private func baseURL(of route: Route) throws(APIError) -> BaseURL {
        guard let host = route.host else {
            guard route.scheme == nil, route.port == nil else {
                throw APIError(
                    .invalidRoute, "the route has a \(route.scheme == nil ? "port" : "scheme") but no host",
                    fix: "set the host")
            }
            return try base.get()
        }
        guard URLText.isHost(host[...]) else {
            throw APIError(
                .invalidRoute, "\(host.quoted) is not a valid host",
                fix: "write only the host, for example api.example.com")
        }
        let scheme = route.scheme ?? "https"
        guard !scheme.isEmpty, scheme.hasOnly(PercentEncoding.unreserved.contains) else {
            throw APIError(
                .invalidRoute, "\(scheme.quoted) is not a scheme", fix: "write only the scheme, for example https")
        }
        let port = route.port.map { ":\($0)" } ?? ""
        do throws(FileProblem) {
            return try BaseURL("\(scheme)://\(host)\(port)", called: "the URL")
        } catch {
            throw APIError(.invalidRoute, error)
        }
    }

    private func append(
        _ query: Parameters, _ parameters: Parameters?, of route: Route, after separator: UInt8?,
        to buffer: inout [UInt8]
    ) throws {
        if query.elements.isEmpty, parameters?.elements.isEmpty ?? true { return }
        var writer = QueryWriter(bytes: buffer, dialect: route.dialect ?? dialect, separator: separator)
        // The writer must be the only owner of the bytes; otherwise it copies them.
        buffer = []
        try writer.append(query)
        if let parameters { try writer.append(parameters) }
        buffer = writer.bytes
    }

    // MARK: Body

    /// A body with its content type. The body is data or a stream.
    private struct Body {
        var data: Data?
        var stream: BodyStream?
        var contentType: String?
        /// True for JSON bodies. The client's content type, such as `application/vnd.api+json`, overrides the content
        /// type of a JSON body; other bodies keep their own content type.
        var isJSON = false

        static func json(_ data: Data) -> Body { Body(data: data, contentType: "application/json", isJSON: true) }

        static func stream(_ stream: BodyStream) -> Body { Body(stream: stream, contentType: stream.contentType) }
    }

    private func body(of route: Route, parameters: Parameters?) throws -> Body? {
        switch route.body {
        case .json(let value): return .json(try encoder.encode(value))
        case .data(let data, let contentType): return Body(data: data, contentType: contentType)
        case .stream(let stream):
            guard let body = stream.written else { return .stream(stream) }
            return Body(data: try body.data(), contentType: body.contentType)
        case nil: break
        }
        guard let parameters else { return nil }
        guard route.encoding == .form else { return .json(try JSONObjectWriter.data(parameters, encoder: encoder)) }
        var writer = QueryWriter(dialect: route.dialect ?? dialect, plusForSpace: true)
        try writer.append(parameters)
        return Body(data: Data(writer.bytes), contentType: "application/x-www-form-urlencoded")
    }

    // MARK: Headers

    /// Returns the client's headers without those that the request's server must not get. Credentials are left out. If
    /// the server is not the client's, headers with the values of environment keys are left out too. Returns nil if the
    /// server gets all headers.
    private func headersElsewhere(for request: URLRequest) -> HTTPHeaders? {
        // If `credentialServers` is nil, every server gets all headers.
        if credentialServers == nil, !withholdsCredentials { return nil }
        let isHome = credentialServers.include(request.url)
        if isHome, !withholdsCredentials { return nil }
        let names = authorizationNames?.withLock { $0 } ?? []
        return headers.following(authorization: names, withoutKeys: !isHome)
    }

    /// Removes the client's headers that the request's server must not get. Other code may have changed the server
    /// since the headers were set.
    func dropCredentials(from request: inout URLRequest, of route: Route) throws(APIError) {
        guard let kept = try headersElsewhere(for: request)?.merging(route.headers).resolved(by: lookup) else { return }
        for (name, value) in try headers.resolved(by: lookup).combined {
            let rest = kept[HTTPHeaders.Name(rawValue: name)]
            // A header value that the closures have set is kept.
            if rest != value, let sent = request.value(forHTTPHeaderField: name),
                sent == value || [",", ";"].contains(where: { sent.begins(with: value + $0) })
            {
                request.setValue(rest, forHTTPHeaderField: name)
            }
        }
    }

    private func setHeaders(of route: Route, body: Body?, on request: inout URLRequest) throws(APIError) {
        // The closures may change the server, so credentials are removed after the closures have run.
        let own = route.configure == nil && configure == nil ? headersElsewhere(for: request) : nil
        // Most requests need only the client's headers.
        if own == nil, let checkedHeaders, route.headers.hasNoFieldsOrKeys, body == nil, route.idempotencyKey == nil {
            request.allHTTPHeaderFields = checkedHeaders
            return
        }
        var all = try (own ?? headers).merging(route.headers).resolved(by: lookup)
        switch route.idempotencyKey {
        case .random?: all[.idempotencyKey] = UUID().uuidString
        case .fixed(let key)?: all[.idempotencyKey] = key
        case nil: break
        }
        try all.check()
        // The content type is the first that is set: the route's, the body's, or the client's. For a JSON body, the
        // client's content type takes precedence over the body's. If none is set, a default type is added at the end.
        let isJSON = body?.isJSON == true
        if let contentType = body?.contentType,
            isJSON ? !all.contains(.contentType) : !route.headers.contains(.contentType)
        {
            // The content type of JSON is constant. Any other content type may come from the app.
            if !isJSON { try HTTPHeaders.check(.contentType, contentType) }
            all[.contentType] = contentType
        }
        if body != nil { try route.checkBody(against: all) }
        if !all.isEmpty { request.allHTTPHeaderFields = all.combined }
    }
}

extension Route {
    /// True if the route names its own server, which may differ from the client's.
    var hasOwnServer: Bool { path.isAbsolute || host != nil || baseURLKey != nil }

    package var placedParameters: (query: Parameters?, body: Parameters?) {
        guard let parameters else { return (nil, nil) }
        let isInQuery = encoding.map { $0 == .query } ?? (body != nil || method.placesParametersInQuery)
        return isInQuery ? (parameters, nil) : (nil, parameters)
    }
}
