/// A name that is the same only byte for byte. For `String` two ways to write "é" are one.
package struct ByteName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: Self, b: Self) -> Bool {
        var (a, b) = (a.text, b.text)
        // Buffers are compared in a fraction of the time that views of text take.
        return a.withUTF8 { a in b.withUTF8 { b in a.elementsEqual(b) } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
