import FingerpostFiles

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
}
