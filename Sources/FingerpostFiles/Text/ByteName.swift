/// A name that is compared byte for byte, unlike a `String`, which treats two encodings of "é" as equal.
package struct ByteName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: Self, b: Self) -> Bool {
        // Comparing buffers is several times faster than comparing UTF-8 views.
        a.text.utf8.count == b.text.utf8.count && a.text.withBytes { a in b.text.withBytes { b in a.elementsEqual(b) } }
    }

    package func hash(into hasher: inout Hasher) {
        text.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
