import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

// Decides which mock a recording becomes, so that no recording replaces that of another request.
extension MockRecorder {
    /// The mock that a recording becomes: one that exists, or else the name of the case, in the folder of the router if
    /// there is such a folder.
    ///
    /// - Returns: also why the mock must not be replaced; nil if it may.
    func place(
        for route: Route, _ request: URLRequest, _ names: [String]
    ) throws(FileProblem) -> (mock: String, objection: String?) {
        let (own, shared) = (names[0], names[names.count - 1])
        // A folder that cannot be listed is reported when the recording is written.
        guard let mocks = try? MockIndex(url: folder) else { return (shared, nil) }
        let hasFolder = names.count > 1 && url(of: own).deletingLastPathComponent().isFolder
        guard let mock = names.first(where: { mocks.stub(named: $0).exists }) else {
            return (hasFolder ? own : shared, nil)
        }
        let objection = try objection(to: route, request, names, replacing: mocks.stub(named: mock).files)
        return objection != nil && hasFolder && !mock.isSame(as: own) ? (own, nil) : (mock, objection)
    }

    /// Why a route must not replace a mock: its settings are for another request. Nil if it may.
    private func objection(
        to route: Route, _ request: URLRequest, _ names: [String], replacing files: [String]
    ) throws(FileProblem) -> String? {
        for file in files where MockFileName.isSettings(file) {
            let settings = try settings(in: file)
            let by = settings["recorded"]?["by"]?.string
            let earlier = written.withLock { written in files.compactMap { written[ByteName($0)] }.first }
            let isOfThisRun = earlier != nil
            let problem: String
            var end = ""
            if let entry = settings["for"]?.string {
                // An invalid `for` is reported when the mock answers. The query tells pages of a list apart.
                guard let other = try? MockRoute(entry),
                    other.method != request.httpMethod ?? "GET"
                        || !other.matches(path: route.path, isLinked: route.pageItems != nil)
                        || isOfOtherServer(earlier, route, request)
                else { continue }
                problem = "\(path(of: file)) is for \(other)\(by.map { " (\($0))" } ?? "")"
                if isOfOtherServer(earlier, route, request) { end = ", and \(route.name) is at another server" }
            } else {
                // Nothing but the case tells one-time addresses apart. A later run replaces the recording.
                guard isOfThisRun, let by, by != Recording.origin(of: route) else { continue }
                problem = "\(path(of: file)) is of \(by)"
            }
            // A link can lead to a page on another server. Its first page has just been recorded.
            if isOfThisRun, route.pageItems != nil, route.path.isAbsolute { return nil }
            if !isOfThisRun { return "\(problem); remove that mock to record this one" }
            let place = names.count > 1 ? "make the folder \(path(of: MockFileName.folder(of: names[0]))), or " : ""
            return "\(problem), which this run has recorded\(end); \(place)set `mock` in one of the two routes"
        }
        return nil
    }

    /// True if this run has recorded the same path of another server for another case.
    private func isOfOtherServer(_ earlier: Written?, _ route: Route, _ request: URLRequest) -> Bool {
        guard let earlier, let server = earlier.server, let url = request.url, route.pageItems == nil else {
            return false
        }
        let by = Recording.origin(of: route)
        return server != Origin(url) && (by == nil || by != earlier.by)
    }

    /// The page of a list that a request is after the first: `page2` for the first one that this run records, and so
    /// on. A page that is recorded again keeps its variant. Nil for the first page, and for what is not a page.
    func page(_ route: Route, _ request: URLRequest, of mock: String) -> Recording.Page? {
        guard let names = route.pageItems else { return nil }
        let query = request.url?.query(percentEncoded: true)?.parts(between: "&") ?? []
        let items = query.map(String.init).filter { item in
            let name = item.prefix(before: "=")
            return names.contains(name.removingPercentEncoding ?? String(name))
        }
        let page = ByteName(items.joined(separator: "&"))
        let index = pages.withLock { pages in
            let known = pages[ByteName(mock), default: []]
            if let index = known.firstIndex(of: page) { return index }
            pages[ByteName(mock)] = known + [page]
            return known.count
        }
        return Recording.Page(variant: "page\(index + 2)", items: items)
    }
}
