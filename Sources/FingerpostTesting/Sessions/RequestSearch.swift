import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Finds the mock for a request that was not created from a route. The `for` entry of a mock's settings contains the
/// method, the path and the query of the requests that the mock answers.
struct RequestSearch {
    /// The base URL of tests without environment files. The URL cannot be reached.
    static let noServer = URL(string: "https://testing.invalid") ?? URL(fileURLWithPath: "/")

    /// A mock that may answer a request.
    struct Candidate {
        let mock: String
        let route: MockRoute

        /// The mock with the highest rank answers. The rank is the number of fixed path segments, then the number of
        /// query items.
        var rank: (Int, Int) { (route.comparedSegments.count { $0 != nil }, route.query.count) }
    }

    private let scope: APIScope
    private let bases: [URL]

    init(_ owner: SessionOwner, _ scope: APIScope) {
        self.scope = scope
        let environment = scope.environment.flatMap { environment in
            environment.baseURLs["baseURL"].flatMap { URL(string: $0.prefix) }
        }
        let isStandIn = scope.environment?.file == nil && environment == Self.noServer
        bases = owner.baseURLs + (isStandIn ? [] : [environment].compactMap(\.self))
    }

    /// Returns the mock for a request, and the base URL of the request.
    ///
    /// - Throws: ``APIError`` if no mock or more than one mock matches the request.
    func mock(for request: URLRequest, _ url: URL) throws(APIError) -> (mock: MockName, baseURL: String) {
        guard ["http", "https"].contains(url.scheme?.lowercased()), let host = url.host, !host.isEmpty else {
            throw APIError(
                .mock,
                "mocks answer http and https requests alone, and not \(Redaction.url(url.absoluteString)); "
                    + "nothing was sent", fix: "read the file or the data without this session")
        }
        let (path, baseURL) = try pathBelowBase(of: url)
        guard let index = try MockIndexes.index(in: scope.mocks) else {
            throw APIError(
                .mock, "there is no folder \(MockIndex.name). Nothing was sent",
                fix: fix(for: request, path, in: nil))
        }
        let (candidates, problems) = Self.candidates(in: index)
        let (method, query) = (request.httpMethod ?? "GET", url.query(percentEncoded: true) ?? "")
        let fitting = candidates.filter {
            $0.route.method.isSame(as: method) && $0.route.matches(path: path) && $0.route.matches(query: query)
        }
        guard let best = fitting.max(by: { $0.rank < $1.rank }) else {
            throw missing(request, path, query, in: index, candidates, problems)
        }
        // Variants of the same mock are not in conflict.
        if let other = fitting.first(where: { $0.rank == best.rank && !$0.mock.isSame(as: best.mock) }) {
            let line = "\(method) \(Redaction.url(path.text))"
            throw APIError(
                .mock,
                "two mocks are for \(line): \(best.mock.quoted) (\(best.route)) and \(other.mock.quoted) "
                    + "(\(other.route)). Nothing was sent",
                fix: "make \"for\" of one more exact, with a fixed segment or an item of the query, or make one a "
                    + "variant of the other")
        }
        return (MockName(rawValue: best.mock), baseURL)
    }

    // MARK: Servers

    /// Returns the path below the longest base URL that the URL starts with, and this base URL. If there are no base
    /// URLs, returns the whole path.
    private func pathBelowBase(of url: URL) throws(APIError) -> (RoutePath, String) {
        let (origin, segments) = (Origin(url), url.path(percentEncoded: true).words(between: "/"))
        guard !bases.isEmpty else {
            let server = URL(string: url.originText) ?? url
            let first = FirstServer.of(scope, or: server)
            guard Origin(first) == origin else {
                throw APIError(
                    .mock,
                    "the test calls \(first.originText) and \(url.originText), and without a base URL mocks are found "
                        + "by the path alone. Nothing was sent",
                    fix: "name both: Mocks.sessionConfiguration(URL(string: \"\(first.originText)\")!, "
                        + "URL(string: \"\(url.originText)\")!)")
            }
            return (RoutePath(raw: "/" + segments.joined(separator: "/")), url.originText)
        }
        let fitting = bases.compactMap { base -> (URL, ArraySlice<Substring>)? in
            let own = base.path(percentEncoded: true).words(between: "/")
            guard Origin(base) == origin, segments.starts(with: own, by: { $0.isSameSegment(as: $1) })
            else { return nil }
            return (base, segments.dropFirst(own.count))
        }
        guard let (base, rest) = fitting.min(by: { $0.1.count < $1.1.count }) else {
            let shown = url.originText + url.path(percentEncoded: true)
            throw APIError(
                .mock,
                "\(Redaction.url(shown)) is below none of the base URLs "
                    + bases.map { Redaction.url($0.absoluteString) }.joined(separator: ", ") + ". Nothing was sent",
                fix: "pass its base URL too: Mocks.sessionConfiguration(URL(string: \"\(url.originText)\")!)")
        }
        let own = base.path(percentEncoded: true).words(between: "/").map { "/\($0)" }.joined()
        return (RoutePath(raw: "/" + rest.joined(separator: "/")), base.originText + own)
    }

    // MARK: Mocks

    /// Returns all mocks with a `for` entry, including variants, and the problems of mocks that cannot be read.
    static func candidates(in index: MockIndex) -> (found: [Candidate], problems: [String]) {
        var (candidates, problems): ([Candidate], [String]) = ([], [])
        for name in index.mockNames {
            let stub = index.stub(named: name)
            for variant in (stub.hasUsual ? [nil] : []) + stub.variantNames.map(Optional.some) {
                do throws(MockIndex.Failure) {
                    if let route = try index.definition(of: stub, variant: variant).settings?.route {
                        candidates.append(Candidate(mock: name, route: route))
                    }
                } catch {
                    if case .invalid(let found) = error { problems += found.map(\.description) }
                }
            }
        }
        return (candidates, problems)
    }

    /// Returns the error for a request without a mock.
    private func missing(
        _ request: URLRequest, _ path: RoutePath, _ query: String, in index: MockIndex, _ candidates: [Candidate],
        _ problems: [String]
    ) -> APIError {
        let method = request.httpMethod ?? "GET"
        let line = "\(method) \(Redaction.url(path.text))"
        let folder = index.isTopLevel ? MockIndex.name : FilePath.display(index.url)
        let near = near(method, path, query, candidates)
        let unread = problems.first.map { "; a mock that cannot be read may be meant: \($0)" } ?? ""
        return APIError(
            .mock,
            "no mock in \(folder) is for \(line)\(near.map { "; \($0.message)" } ?? "")\(unread). Nothing was sent",
            fix: (near.map { "\($0.fix); otherwise " } ?? "") + fix(for: request, path, in: index))
    }

    /// Returns a text about the mock that the test probably means. The text describes how the mock's `for` entry
    /// differs from the request.
    private func near(
        _ method: String, _ path: RoutePath, _ query: String, _ candidates: [Candidate]
    ) -> (message: String, fix: String)? {
        func text(_ candidate: Candidate, _ difference: String) -> (String, String) {
            (
                "the mock \(candidate.mock.quoted) is for \(candidate.route): \(difference)",
                "correct the request, or \"for\" of \(candidate.mock.quoted)"
            )
        }
        let samePath = candidates.filter { $0.route.matches(path: path) }
        if let other = samePath.first(where: { $0.route.method.isSame(as: method) }) {
            return text(other, "the query lacks an item of it")
        }
        if let other = samePath.first { return text(other, "the method differs") }
        let sameEnd = candidates.first { $0.route.method.isSame(as: method) && $0.hasEnd(of: path) }
        if let sameEnd {
            return (
                "the end of the path fits the mock \(sameEnd.mock.quoted), which is for \(sameEnd.route)",
                "pass the base URL with the rest of the path to Mocks.sessionConfiguration"
            )
        }
        guard let nearest = NearestName.find("\(method) \(path.text)", in: candidates.map(\.line)),
            let other = candidates.first(where: { $0.line == nearest })
        else { return nil }
        return text(other, "the path differs")
    }

    /// Returns the advice to add a mock for a request.
    private func fix(for request: URLRequest, _ path: RoutePath, in index: MockIndex?) -> String {
        let method = request.httpMethod ?? "GET"
        // Numbers and UUIDs differ in each call, so the suggested path has placeholders.
        let segments = path.pathAlone.words(between: "/").map { segment -> String in
            let isNumber = segment.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            return isNumber || UUID(uuidString: String(segment)) != nil ? "{id}" : String(segment)
        }
        let word = segments.last { $0 != "{id}" }?.removingPercentEncoding ?? "root"
        var name = String(word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        if name.isEmpty { name = "answer" }
        if index?.stub(named: name).exists == true { name = "\(method.lowercased())-\(name)" }
        let folder = index.map { $0.isTopLevel ? MockIndex.name : FilePath.display($0.url) } ?? MockIndex.name
        return "add \(folder)/\(name).json, and \(folder)/\(name).mock.json with "
            + "{ \"for\": \"\(method) /\(Redaction.url(segments.joined(separator: "/")))\" }"
    }
}

extension RequestSearch.Candidate {
    /// The method and the path in the `for` entry.
    fileprivate var line: String { String(route.description.prefix(before: "?")) }

    /// Returns true if the path of a request ends with the whole path of the mock.
    fileprivate func hasEnd(of path: RoutePath) -> Bool {
        !route.comparedSegments.isEmpty && route.matches(path: path, isLinked: true)
    }
}

extension Substring {
    /// Returns true if both segments are equal without percent-encoding: `%c3` equals `%C3`.
    fileprivate func isSameSegment(as other: Substring) -> Bool {
        (removingPercentEncoding ?? String(self)).isSame(as: other.removingPercentEncoding ?? String(other))
    }
}

extension URL {
    /// The scheme, the host, and the port if the URL contains a port.
    fileprivate var originText: String {
        let name = host?.lowercased() ?? ""
        // Foundation returns an IPv6 address without the brackets.
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        return "\(scheme?.lowercased() ?? "https")://\(host)" + (port.map { ":\($0)" } ?? "")
    }
}
