import FingerpostCatalog
import Foundation

@testable import Fingerpost
@testable import FingerpostFiles
@testable import FingerpostMockFiles
@testable import FingerpostMocks
@testable import FingerpostTransfers

// What apps put into requests.
extension FuzzTarget {
    static let requests: [FuzzTarget] = [
        path, interpolatedPath, absoluteURL, base, hostAndScheme, query, headers, multipart, catalog,
    ]

    private static let path = FuzzTarget.text(
        "path", ["users/a%20b", "//x", "a?b=c#d", "http:/x", "users:list", "../..", "@h"],
        tokens: ["//", "http", "://", "@", "#", "?", "[", "%41", "..", ":80"]
    ) { text in
        guard !URLText.isAbsolute(text.utf8) else { return }
        let request = try Route.get(RoutePath(raw: text)).urlRequest(relativeTo: baseURL)
        try checkHost(of: request)
    }

    private static let interpolatedPath = FuzzTarget.text(
        "value in a path", ["a/b", "http://h.example", "..", "", "a#b?c"], tokens: ["/", "://", "#", "..", "%2F"]
    ) { text in
        let request = try Route.get("x/\(text)/y").urlRequest(relativeTo: baseURL)
        try checkHost(of: request)
        // Foundation drops a byte order mark when it undoes escapes.
        if text.unicodeScalars.contains("\u{FEFF}") { return }
        let parts = URLComponents(url: request.url ?? baseURL, resolvingAgainstBaseURL: false)?.percentEncodedPath
            .split(separator: "/", omittingEmptySubsequences: false).map { String($0).removingPercentEncoding }
        try FuzzFinding.check(parts.map { $0 == ["", "v1", "x", text, "y"] } ?? false, "\(request.url as Any)")
        // A value at the start cannot lead to another host, unless literal text makes a scheme of it.
        if let request = try? Route.get("\(text)").urlRequest(relativeTo: baseURL) { try checkHost(of: request) }
        if let request = try? Route.get("\(text)://x").urlRequest(relativeTo: baseURL) {
            try checkHost(of: request, isAbsoluteAllowed: true)
        }
    }

    private static let absoluteURL = FuzzTarget.text(
        "absolute URL",
        ["http://[::1]:80/x", "https://u:p@h.example/a?b#c", "HTTP://H", "https://h.example#@e.example"],
        tokens: ["://", "@", "#", "?", "/", "[", "]", ":", "\\", "%23", "%40", "http://"]
    ) { text in
        for path in [RoutePath(raw: text), "\(raw: text)/x", "\(text)"] {
            guard let url = try Route.get(path).urlRequest(relativeTo: baseURL).url else { continue }
            try FuzzFinding.check(["http", "https"].contains(url.scheme?.lowercased()), "\(url)")
            try FuzzFinding.check(url.host?.isEmpty == false, "\(url) has no host")
            try FuzzFinding.check(url.fragment == nil, "\(url) has a fragment")
        }
        // Browsers end the authority at the first of these, and so must we.
        guard URLText.isAbsolute(text.utf8), let colon = text.firstRange(ofBytes: "://") else { return }
        let name = text[colon.upperBound...].prefix(before: "/?#").parts(between: "@").last ?? ""
        guard name.utf8.allSatisfy({ $0 < 0x80 && PercentEncoding.unreserved.contains($0) }), !name.isEmpty else {
            return
        }
        let url = try Route.get(RoutePath(raw: text)).urlRequest(relativeTo: baseURL).url
        try FuzzFinding.check(url?.host?.lowercased() == name.lowercased(), "\(url as Any) is not for \(name)")
    }

    private static let base = FuzzTarget.text(
        "base URL", ["https://h.example/v1?key=1#x", "http://127.0.0.1:8080/", "http://[::1]"],
        tokens: ["://", ":", "@", "#", "?", "//", " ", "http"]
    ) { text in
        let base = try BaseURL(text)
        try FuzzFinding.check(!base.prefix.contains("?") && !base.prefix.contains("#"), "the prefix is \(base.prefix)")
        guard let url = URL(string: text) else { return }
        let request = try Route.get("x").urlRequest(relativeTo: url)
        try FuzzFinding.check(request.url?.host == url.host, "\(request.url as Any)")
    }

    private static let hostAndScheme = FuzzTarget.text(
        "host and scheme", ["h.example", "https", "[::1]", "http://other.example/?"],
        tokens: ["/", "?", "#", "@", ":", "[", "]"]
    ) { text in
        let scheme = try? Route { ($0.path, $0.host, $0.scheme) = ("x", "h.example", text) }.urlRequest()
        try scheme.map { try FuzzFinding.check($0.url?.host == "h.example", "\($0.url as Any)") }
        guard let url = try Route.get("x").host(text).urlRequest().url else { return }
        try FuzzFinding.check(url.scheme == "https" && url.path == "/x" && url.port == nil, "\(url)")
    }

    private static let query = FuzzTarget.text(
        "query", ["a b+c", "x&y=z", "é%20", "true"], tokens: ["&", "=", "+", "%", "[", "]"]
    ) { text in
        // Foundation drops a byte order mark when it undoes escapes.
        if text.unicodeScalars.contains("\u{FEFF}") { return }
        let value = ["list": [text, text], "map": [text: [text]]] as Parameters
        for dialect in [QueryDialect.standard, .rails, .java] {
            let request = try Route.get("x").query(value).query(text, text).dialect(dialect).urlRequest(
                relativeTo: baseURL)
            try checkHost(of: request)
            let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems } ?? []
            try FuzzFinding.check(items.count == 4 && items.allSatisfy { $0.value == text }, "\(request.url as Any)")
            try FuzzFinding.check(items.last?.name == text, "\(request.url as Any)")
        }
    }

    private static let headers = FuzzTarget.text(
        "header and method", ["X-Trace: 7", "Accept: text/plain, */*", "Host: h"],
        tokens: [":", "\r\n", "\0", "Content-Length"]
    ) { text in
        let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        _ = try? Route(method: HTTPMethod(rawValue: text), path: "x").urlRequest(relativeTo: baseURL)
        _ = MediaType(contentType: text)
        let route = Route.get("x").header(HTTPHeaders.Name(rawValue: pair[0]), pair.count > 1 ? pair[1] : "")
        let fields = try route.urlRequest(relativeTo: baseURL).allHTTPHeaderFields ?? [:]
        for (name, value) in fields {
            let isSafe = (name + value).utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
            try FuzzFinding.check(isSafe && !name.contains(":") && !name.isEmpty, "\(name): \(value)")
            try FuzzFinding.check(!["host", "content-length"].contains(name.lowercased()), name)
        }
    }

    private static let multipart = FuzzTarget.text(
        "form with files", ["title", "a\"b", "--cut", "x\r\n--cut--\r\n"],
        tokens: ["--", "--cut", "\r\n", "\"", "c", "cu"]
    ) { text in
        let form = MultipartForm(boundary: "cut").field(text, "1").data("d", Data(text.utf8), fileName: text).field(
            "x", text)
        let body = try MultipartWriter(form).data()
        let delimiters = String(decoding: body, as: UTF8.self).ranges(of: "\r\n--cut").count
        try FuzzFinding.check(delimiters == 3, "\(delimiters) delimiters after the first")
        let heads = String(decoding: body, as: UTF8.self).ranges(of: "\r\nContent-Disposition: ").count
        let inText = text.ranges(of: "\r\nContent-Disposition: ").count
        try FuzzFinding.check(heads == 3 + 2 * inText, "\(heads) heads")
    }

    private static let catalog = FuzzTarget.text(
        "argument of an endpoint", ["octocat", "a/b", "{id}", "1"], tokens: ["/", "..", "{", "}", "\n", "\""]
    ) { text in
        // Foundation drops a byte order mark at the start of a text.
        if text.unicodeScalars.contains("\u{FEFF}") { return }
        let catalog = try EndpointCatalog(data: Data(catalogFile.utf8))
        let request = try catalog.route("get", ["id": text, "q": text, "b": text]).urlRequest(relativeTo: baseURL)
        try checkHost(of: request)
        let body = try request.httpBody.map { try JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        try FuzzFinding.check(body?["x"] as? String == text && body?["y"] as? String == "<\(text)>", "\(body as Any)")
        _ = try? catalog.route(text)
    }

    private static let catalogFile = """
        {"get": {"path": "a/{id}", "queries": {"q": "{q}"}, "httpMethod": "POST", "body": {"x": "{b}", "y": "<{b}>"}}}
        """

    // MARK: The host

    private static let baseURL = URL(string: "https://h.example/v1")!

    /// Checks that a request goes to the base URL's host, and below its path.
    private static func checkHost(of request: URLRequest, isAbsoluteAllowed: Bool = false) throws {
        guard let url = request.url else { throw FuzzFinding("no URL") }
        let isBase = url.host == "h.example" && url.absoluteString.hasPrefix("https://h.example/v1")
        try FuzzFinding.check(isBase || isAbsoluteAllowed && url.host == "x", "\(url)")
        try FuzzFinding.check(url.fragment == nil && url.user == nil && url.port == nil, "\(url)")
    }
}
