import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

// Decides which mock a recording replaces, so that no recording replaces the mock of another request.
extension MockRecorder {
    /// Returns the name of the mock that a recording is written to. If a mock of the route exists, the recording
    /// replaces this mock. Otherwise the mock gets the name of the route's enum case, in the router's folder if that
    /// folder exists.
    ///
    /// - Returns: the name, and the reason why the mock must not be replaced. The reason is nil if the mock may be
    ///   replaced.
    func place(
        for route: Route, _ request: URLRequest, _ names: [String]
    ) throws(FileProblem) -> (mock: String, objection: String?) {
        let (own, shared) = (names[0], names[names.count - 1])
        // If the folder cannot be listed, the error is reported when the recording is written.
        guard let mocks = try? MockIndex(url: folder) else { return (shared, nil) }
        let hasFolder = names.count > 1 && url(of: own).deletingLastPathComponent().isFolder
        guard let mock = names.first(where: { mocks.stub(named: $0).exists }) else {
            return (hasFolder ? own : shared, nil)
        }
        let objection = try objection(to: route, request, names, replacing: mocks.stub(named: mock).files)
        return objection != nil && hasFolder && !mock.isSame(as: own) ? (own, nil) : (mock, objection)
    }

    /// Returns the reason why a route must not replace a mock: the mock's settings are for another request. Returns nil
    /// if the route may replace the mock.
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
                // An invalid `for` entry is reported where the mock is read, and is skipped here. The query is not
                // compared, because the pages of a list have different queries.
                guard let other = try? MockRoute(entry),
                    other.method != request.httpMethod ?? "GET"
                        || !other.matches(path: route.path, isLinked: route.pageItems != nil)
                        || isOfOtherServer(earlier, route, request)
                else { continue }
                problem = "\(path(of: file)) is for \(other)\(by.map { " (\($0))" } ?? "")"
                if isOfOtherServer(earlier, route, request) { end = ", and \(route.name) is at another server" }
            } else {
                // The recording of a one-time address has no `for` entry, so only the route's enum case distinguishes
                // it from other recordings. A later run may replace such a recording.
                guard isOfThisRun, let by, by != Recording.origin(of: route) else { continue }
                problem = "\(path(of: file)) is of \(by)"
            }
            // This run has already recorded the first page of the list. A later page may be on another server, so the
            // different address is not a conflict.
            if isOfThisRun, route.pageItems != nil, route.path.isAbsolute { return nil }
            if !isOfThisRun { return "\(problem); remove that mock to record this one" }
            let place = names.count > 1 ? "make the folder \(path(of: MockFileName.folder(of: names[0]))), or " : ""
            return "\(problem), which this run has recorded\(end); \(place)set `mock` in one of the two routes"
        }
        return nil
    }

    /// Returns true if this run has recorded the same path of another server for another enum case.
    private func isOfOtherServer(_ earlier: Written?, _ route: Route, _ request: URLRequest) -> Bool {
        guard let earlier, let server = earlier.server, let url = request.url, route.pageItems == nil else {
            return false
        }
        let by = Recording.origin(of: route)
        return server != Origin(url) && (by == nil || by != earlier.by)
    }

    /// Returns the list page that a request loads. A run's second page gets the variant `page2`, the third page gets
    /// `page3`, and so on. A page that is recorded again keeps its variant. Returns nil for the first page, and for a
    /// request that loads no page.
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
