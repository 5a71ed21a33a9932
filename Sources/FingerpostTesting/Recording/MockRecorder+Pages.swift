import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

// Records each page of a list after the first as a variant, which answers the requests with the query of the page.
extension MockRecorder {
    /// The variant for a page: `page2` for the first page after the default answer that this run records, and so on. A
    /// page that is recorded again keeps its variant.
    ///
    /// - Parameter items: the query items of the page.
    func page(with items: [String], of mock: String) -> Recording.Page {
        let query = ByteName(items.joined(separator: "&"))
        let index = pages.withLock { pages in
            let known = pages[ByteName(mock), default: []]
            if let index = known.firstIndex(of: query) { return index }
            pages[ByteName(mock)] = known + [query]
            return known.count
        }
        return Recording.Page(variant: "page\(index + 2)", items: items)
    }

    /// Lets a page inherit no header from the default answer that the server did not send with it. The last page has no
    /// link to a next page, for example.
    func overrideHeaders(of recording: inout Recording) throws(FileProblem) {
        guard recording.isPage else { return }
        let usual = try settings(in: MockFileName(recording.name.mock).settings.path)
        let inherited = (usual["headers"] as? [String: Any] ?? [:]).keys.map { $0.lowercased() }
        for name in Recording.kept.map(\.rawValue) where inherited.contains(name.lowercased()) {
            recording.settings.headers[name] = recording.settings.headers[name] ?? ""
        }
    }
}
