import Fingerpost
import FingerpostFiles

/// Where a page is in its list.
final class PagePlace: Sendable {
    /// How many pages there are up to this one.
    let position: Int
    /// The number of the page; nil if its list has none.
    let number: Int?
    /// What tells the pages of the list apart, with their positions. All pages of the list have the same.
    private let keys: Locked<[String: Int]>

    /// The first page of a list.
    init() {
        (position, number, keys) = (1, nil, Locked([:]))
    }

    private init(after page: PagePlace, number: Int?) {
        (position, self.number, keys) = (page.position + 1, number, page.keys)
    }

    /// The place of the page after this one; nil if that page is this one, or one before. The page after a page may be
    /// loaded several times.
    ///
    /// - Parameters:
    ///   - key: what tells the next page from all others.
    ///   - own: the same of this page, which counts if the page is the first.
    func next(_ key: String, number: Int?, after own: String) -> PagePlace? {
        let isKnown = keys.withLock { keys in
            if position == 1 { keys[own] = 1 }
            if let known = keys[key], known <= position { return true }
            keys[key] = position + 1
            return false
        }
        return isKnown ? nil : PagePlace(after: self, number: number)
    }
}

extension Response {
    /// Where the page is in its list; nil for a response that no list has loaded.
    var place: PagePlace? { page as? PagePlace }
}
