extension Sequence {
    /// The elements, sorted with a comparison; equal elements keep their order.
    ///
    /// Where speed does not matter, use this method instead of `sorted()` and `sorted(by:)`. For those methods, the
    /// compiler copies the standard library's sort, about 3 KB, for each type of element. This method sorts indices, so
    /// one copy is enough for all types.
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return sortedIndices(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

extension Sequence<String> {
    /// The texts, sorted: see ``ordered(by:)``.
    package var inOrder: [String] { sortedTexts(Array(self)) }
}

@inline(never)
private func sortedTexts(_ texts: [String]) -> [String] { texts.ordered(by: <) }

@inline(never)
private func sortedIndices(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] { (0..<count).sorted(by: precedes) }
