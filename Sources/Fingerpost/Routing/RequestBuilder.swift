import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Turns routes into requests: the URL as bytes in one buffer and one `URL(string:)`, the headers in one assignment.
///
/// Everything that HTTP does not allow is refused here, before Foundation sees it: Foundation drops some of it silently
/// and sends the rest.
struct RequestBuilder: Sendable {
    /// What relative paths are joined to.
    var base: BaseURL.Source
    /// Headers of every request, which those of a route replace name by name.
    var headers: HTTPHeaders = [:]
    /// The same, checked and ready for requests that have no others.
    var checkedHeaders: [String: String]?
    var dialect = QueryDialect.standard
    var encoder = JSONEncoder.standard

    func request(for route: Route) throws(APIError) -> URLRequest {
        do {
            try Self.check(route)
            var request = URLRequest(url: try url(of: route))
            if route.method != .get { request.httpMethod = route.method.rawValue }
            let body = try body(of: route)
            try setHeaders(of: route, contentType: body?.contentType, on: &request)
            if let body { request.httpBody = body.data }
            return request
        } catch let error as EncodingError {
            throw APIError(encoding: error)
        } catch let error as InvalidRoute {
            throw APIError(.invalidRoute, error.reason, fix: error.fix)
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError(.encoding, "\(error)", underlying: error)
        }
    }

    /// What HTTP or this library does not allow in a route.
    private struct InvalidRoute: Error {
        var reason: String
        var fix: String?
    }

    // MARK: Method and timeout

    private static func check(_ route: Route) throws {
        let method = route.method
        try method.check()
        if let timeout = route.timeout, timeout <= .zero {
            throw InvalidRoute(reason: "the timeout is \(timeout)", fix: "give it more than zero seconds")
        }
        let hasBody = if case nil = route.body { false } else { true }
        if method.forbidsBody, hasBody || route.bodyParameters != nil {
            throw InvalidRoute(
                reason: "\(method) cannot carry a body",
                fix: "put the values into the query, or use POST, PUT, PATCH, DELETE or QUERY")
        }
        if hasBody, route.bodyParameters != nil {
            throw InvalidRoute(
                reason: "the route has both a body and parameters encoded as one",
                fix: "remove one of them, or set the encoding to .query")
        }
    }

    // MARK: URL

    private func url(of route: Route) throws -> URL {
        if let problem = route.path.problem {
            throw InvalidRoute(
                reason: problem, fix: "check the value before making the route, or insert it with \\(raw:)")
        }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        var isAbsolute = false
        var hasQuery = false
        try route.path.bytes.withUnsafeBufferPointer { text in
            let question = text.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
            let path = text[..<question]
            let query = text[question...].dropFirst()
            isAbsolute = HTTPSyntax.isAbsolute(path)
            if isAbsolute {
                buffer.append(contentsOf: path)
            } else {
                let baseURL =
                    switch base {
                    case .url(let baseURL): baseURL
                    case .none(let error): throw error
                    }
                buffer.append(baseURL.prefix)
                if !path.isEmpty {
                    if path.first != UInt8(ascii: "/") { buffer.append(UInt8(ascii: "/")) }
                    buffer.append(contentsOf: path)
                }
                if let baseQuery = baseURL.query {
                    buffer.append(UInt8(ascii: "?"))
                    buffer.append(baseQuery)
                    hasQuery = true
                }
            }
            if !query.isEmpty {
                buffer.append(UInt8(ascii: hasQuery ? "&" : "?"))
                buffer.append(contentsOf: query)
                hasQuery = true
            }
        }
        try appendQuery(of: route, hasQuery: hasQuery, to: &buffer)
        let text = String(decoding: buffer, as: UTF8.self)
        guard let url = URL(string: text) else {
            throw InvalidRoute(
                reason: "\"\(Redaction.url(text))\" is not a URL", fix: "check the path and the base URL")
        }
        if isAbsolute {
            // The base URL was checked once; an absolute path stands for itself.
            do throws(BaseURL.Unusable) { _ = try BaseURL(url) } catch {
                throw InvalidRoute(reason: error.reason, fix: error.fix)
            }
        }
        return url
    }

    private func appendQuery(of route: Route, hasQuery: Bool, to buffer: inout [UInt8]) throws {
        let parameters = route.queryParameters
        if route.query.elements.isEmpty, parameters?.elements.isEmpty ?? true { return }
        let start = buffer.count
        if !hasQuery { buffer.append(UInt8(ascii: "?")) }
        var writer = QueryWriter(buffer, dialect: route.dialect ?? dialect, needsSeparator: hasQuery)
        buffer = []
        try writer.append(route.query)
        if let parameters { try writer.append(parameters) }
        buffer = writer.bytes
        // Nothing was written after all: nil and empty values leave no trace.
        if !hasQuery, buffer.count == start + 1 { buffer.removeLast() }
    }

    // MARK: Body

    private struct Body {
        var data: Data
        var contentType: String?
    }

    private func body(of route: Route) throws -> Body? {
        switch route.body {
        case .json(let value): return Body(data: try encoder.encode(value), contentType: "application/json")
        case .data(let data, let contentType): return Body(data: data, contentType: contentType)
        case nil: break
        }
        guard let parameters = route.bodyParameters else { return nil }
        if route.encoding == .form {
            var writer = QueryWriter([], dialect: route.dialect ?? dialect, plusForSpace: true)
            try writer.append(parameters)
            return Body(data: Data(writer.bytes), contentType: "application/x-www-form-urlencoded")
        }
        return Body(
            data: try JSONObjectWriter.data(parameters, encoder: encoder), contentType: "application/json")
    }

    // MARK: Headers

    private func setHeaders(of route: Route, contentType: String?, on request: inout URLRequest) throws {
        if let checkedHeaders, route.headers.isEmpty, contentType == nil {
            request.allHTTPHeaderFields = checkedHeaders
            return
        }
        let all = headers.merging(route.headers)
        if all.isEmpty, contentType == nil { return }
        var fields = try all.checked()
        if let contentType, !all.contains(.contentType) {
            let field = HTTPHeaders.Field(.contentType, contentType)
            try field.check()
            fields[field.name.rawValue] = field.value
        }
        request.allHTTPHeaderFields = fields
    }
}

extension Route {
    /// The parameters that go into the query.
    fileprivate var queryParameters: Parameters? {
        encoding.map { $0 == .query } ?? (method.placesParametersInQuery || body != nil) ? parameters : nil
    }

    /// The parameters that go into the body.
    fileprivate var bodyParameters: Parameters? {
        encoding.map { $0 != .query } ?? !(method.placesParametersInQuery || body != nil) ? parameters : nil
    }
}

extension JSONEncoder {
    /// ISO 8601 dates and sorted keys, so that equal values give equal bodies.
    static let standard: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(of: date))
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
