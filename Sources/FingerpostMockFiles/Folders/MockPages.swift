package import FingerpostFiles
import Foundation

/// The variants of a mock that answer only requests with a certain query, such as the pages of a list. A list can have
/// thousands of pages, so each page is looked up by one item of its query.
package struct MockPages: Sendable {
    package typealias Page = (variant: String, route: MockRoute)

    /// All pages. Pages with more query items come first.
    package let all: [Page]
    /// The positions of the pages, by query item. Each page is stored under only one of its items: the item that occurs
    /// in the fewest pages.
    private let places: [ByteName: [Int]]

    init(_ pages: [Page]) {
        all = pages.ordered { $0.route.query.count > $1.route.query.count }
        let items = all.map { $0.route.query.map { MockRoute.decoded($0[...]) } }
        var counts: [ByteName: Int] = [:]
        for item in items.joined() { counts[item, default: 0] += 1 }
        var places: [ByteName: [Int]] = [:]
        for (place, items) in items.enumerated() {
            guard let rarest = items.min(by: { counts[$0, default: 0] < counts[$1, default: 0] }) else { continue }
            places[rarest, default: []].append(place)
        }
        self.places = places
    }

    /// Returns the pages whose query items all occur in the request's query, which is percent-encoded.
    package subscript(query: String) -> [Page] {
        all.isEmpty ? [] : candidates(for: query).map { all[$0] }.filter { $0.route.matches(query: query) }
    }

    /// Returns the positions of the pages that must be compared with a query.
    func candidates(for query: String) -> [Int] {
        Set(query.parts(between: "&").map(MockRoute.decoded)).flatMap { places[$0] ?? [] }.sorted()
    }
}

extension MockRoute {
    /// Returns true if a percent-encoded query contains all query items of this route.
    package func matches(query given: String) -> Bool {
        let items = given.parts(between: "&").map { Self.decoded($0) }
        return query.allSatisfy { items.contains(Self.decoded($0[...])) }
    }

    /// Decodes an item for a comparison byte for byte.
    package static func decoded(_ item: Substring) -> ByteName {
        ByteName(item.removingPercentEncoding ?? String(item))
    }
}
