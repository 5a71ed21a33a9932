/// Elements of which most calls have only one, such as the requests that were sent. One element takes no memory outside
/// the series.
struct Series<Element> {
    private(set) var last: Element?
    private var earlier: [Element] = []

    /// All elements, in order.
    var all: [Element] { earlier + (last.map { [$0] } ?? []) }

    mutating func append(_ element: Element) {
        if let last { earlier.append(last) }
        last = element
    }
}

extension Series: Sendable where Element: Sendable {}
