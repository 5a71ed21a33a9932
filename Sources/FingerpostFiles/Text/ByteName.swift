/// A name that is compared byte for byte, unlike a `String`, which treats two encodings of "é" as equal.
package struct ByteName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: Self, b: Self) -> Bool {
        var (a, b) = (a.text, b.text)
        // Comparing buffers is several times faster than comparing UTF-8 views.
        return a.withUTF8 { a in b.withUTF8 { b in a.elementsEqual(b) } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
