public import Fingerpost
public import FingerpostDocuments
import FingerpostFiles
public import Foundation

/// Endpoints read from a JSON file. The file can be changed without a new build, and shared with other platforms.
///
/// ```json
/// {
///   "host": "api.github.com",
///   "headers": { "Accept": "application/vnd.github+json" },
///   "repos": { "path": "users/{owner}/repos", "queries": [{ "page": "{page}" }], "mock": "repos" },
///   "createRepo": { "path": "user/repos", "httpMethod": "POST", "body": { "name": "{name}", "private": false } }
/// }
/// ```
///
/// ```swift
/// let catalog = try EndpointCatalog(named: "github")
/// let repos = try await client.send(catalog.route("repos", ["owner": "apple", "page": 2]), as: [Repository].self)
/// ```
///
/// The top-level keys `scheme`, `host`, `port`, `path`, `httpMethod`, `headers`, `queries`, `authorization` and
/// `timeout` (in seconds) apply to all endpoints. The value of every other top-level key is an endpoint. An endpoint
/// inherits the shared settings and can override them: the endpoint's headers are merged with the shared headers, and
/// the endpoint's queries replace the shared queries. An endpoint can also have the keys `body` and `mock`. `scheme`
/// defaults to `https`, and `httpMethod` defaults to `GET`. If there is no key `host`, the path is relative to the
/// client's base URL.
///
/// ``route(_:_:)`` replaces each `{name}` in a path, a query, a header or a string of the body with an argument. The
/// argument is escaped as the path, the query, the header or the body requires. A body string or query value that
/// consists of a single placeholder takes the argument's type: `"{count}"` becomes `3`. Placeholders inside arguments
/// are not expanded. Escape a literal brace by doubling it: `"{{name}}"` is the text `{name}`. An unmatched brace is an
/// error. Keys of a body are used verbatim, with their braces.
///
/// Use a ``/Fingerpost/Routable`` enum instead if the compiler should check the endpoints.
public struct EndpointCatalog: Sendable {
    /// The parsed file.
    let file: EndpointFile

    /// The endpoints' names, in alphabetical order.
    public var names: [String] { file.names }

    /// Reads a file.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `invalidRoute` that lists every problem and its line number.
    public init(contentsOf url: URL) throws(APIError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw Self.unreadable(url, error)
        }
        try self.init(data: data, path: FilePath.display(url))
    }

    private static func unreadable(_ url: URL, _ error: any Error) -> APIError {
        let path = FilePath.display(url)
        guard FileManager.default.fileExists(atPath: url.path) else {
            // Ignore an error from listing a folder: the file names are needed only to suggest a similar name.
            let present = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            return APIError(
                .invalidRoute,
                "there is no file \(path)" + NearestName.hint(url.lastPathComponent, in: (present ?? []).sorted()),
                fix: "add it, or correct the URL", underlying: error)
        }
        let reason = url.isFolder ? "it is a folder" : error.localizedDescription
        return APIError(.invalidRoute, "\(path) cannot be read: \(reason)", underlying: error)
    }

    /// Reads the file `<name>.json` from a bundle's resources. If `bundle` is nil, the file is looked up in the main
    /// bundle's resources and then in the working directory.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `invalidRoute`. If the file is missing, the error lists the
    ///   searched folders and suggests the most similar name. If the file is invalid, the error lists every problem and
    ///   its line number.
    public init(named name: String, in bundle: Bundle? = nil) throws(APIError) {
        let working = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let folders = bundle.map { [$0.resourceURL] } ?? [Bundle.main.resourceURL, working]
        for folder in folders.compactMap({ $0 }) {
            let url = folder.appendingPathComponent("\(name).json")
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            try self.init(contentsOf: url)
            return
        }
        // Ignore an error from listing a folder: the file names are needed only to suggest a similar name.
        let present = folders.compactMap { $0 }.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
                .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }
        }
        let places = folders.compactMap { $0?.path }.joined(separator: ", ")
        throw APIError(
            .invalidRoute, "there is no \(name).json in \(places)" + NearestName.hint(name, in: present),
            fix: "add it, or give the URL of the file")
    }

    /// Reads a file's content.
    ///
    /// - Parameters:
    ///   - data: the content, as JSON in UTF-8.
    ///   - path: the file name shown in errors.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `invalidRoute` that lists every problem and its line number.
    public init(data: Data, path: String = "endpoints") throws(APIError) {
        do throws(InvalidFile) {
            file = try EndpointFile(data: data, path: path)
        } catch {
            throw APIError(.invalidRoute, error.problems.map(\.description).joined(separator: "\n"))
        }
    }

    /// Returns the route of an endpoint, with arguments in place of the placeholders.
    ///
    /// - Parameters:
    ///   - name: the endpoint's name.
    ///   - arguments: a value for each placeholder; an argument that is nil counts as missing.
    /// - Throws: ``/Fingerpost/APIError``. The error's kind is `invalidRoute` if the endpoint is unknown, or if an
    ///   argument is missing or unused. For an unknown endpoint, the message suggests the most similar name. The
    ///   error's kind is `encoding` if an argument's value is not allowed at its placeholder.
    public func route(_ name: String, _ arguments: Parameters = [:]) throws(APIError) -> Route {
        guard let endpoint = file.endpoint(name) else {
            throw APIError(
                .invalidRoute,
                "there is no endpoint \"\(name)\" in \(file.path)" + NearestName.hint(name, in: file.names),
                fix: file.names.isEmpty ? nil : "use one of \(file.names.prefix(20).joined(separator: ", "))")
        }
        var filler = try PlaceholderFiller(arguments, endpoint: name, path: file.path)
        var route = Route(path: try filler.path(endpoint[.path]?.string ?? "")).named(name)
        if let method = endpoint[.httpMethod]?.string { route.method = HTTPMethod(rawValue: method) }
        route.host = endpoint[.host]?.string
        route.scheme = endpoint[.scheme]?.string
        if case .integer(let port)? = endpoint[.port]?.value { route.port = Int(exactly: port) }
        for (name, value) in endpoint.headers {
            route.headers.add(HTTPHeaders.Name(rawValue: name), try filler.text(value, in: "the header \"\(name)\""))
        }
        for (name, value) in endpoint.queries { route.query.append(name, try filler.value(value)) }
        if let body = endpoint[.body] { route.body = .json(try filler.value(body)) }
        route.mock = endpoint[.mock]?.string.map(MockName.init(rawValue:))
        route.timeout = endpoint.timeout
        if let policy = endpoint.authorization { route.authorization = policy }
        try filler.checkUnused()
        return route
    }
}

extension EndpointCatalog: CustomStringConvertible, CustomReflectable {
    /// The file and the endpoints' names.
    public var description: String { "\(file.path): \(names.joined(separator: ", "))" }

    /// The file and the endpoints' names. Headers, queries and bodies are left out because they can be secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["file": file.path, "names": names], displayStyle: .struct)
    }
}

extension EndpointCatalog: EndpointList {
    /// The endpoints with a mock, for an audit.
    public var mockedEndpoints: [MockedEndpoint] {
        names.compactMap { name in
            guard let endpoint = file.endpoint(name), let mock = endpoint[.mock]?.string else { return nil }
            let path = (endpoint[.path]?.string ?? "").prefix { $0 != "?" }
            let segments = path.split(separator: "/").map { segment -> String? in
                let pieces = Placeholders(String(segment)).pieces
                guard pieces.count == 1, case .text(let text) = pieces[0] else { return nil }
                return RoutePath(raw: text).description
            }
            let method = HTTPMethod(rawValue: endpoint[.httpMethod]?.string ?? "GET").rawValue
            return MockedEndpoint(name: name, mock: mock, method: method, path: path, segments: segments)
        }
    }
}

extension EndpointFile.Values {
    fileprivate var timeout: Duration? {
        switch self[.timeout]?.value {
        case .integer(let seconds)?: .seconds(seconds)
        // `Duration.seconds` traps on values that are out of range, and rounds values below its resolution to zero.
        case .real(let seconds)?: .seconds(min(max(seconds, 1e-9), 1e9))
        default: nil
        }
    }
}
