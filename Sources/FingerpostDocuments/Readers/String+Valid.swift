extension String {
    /// Creates the text with some bytes; nil if they are not valid UTF-8. `String(validating:as:)` needs macOS 15.
    init?(valid bytes: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so the decoded bytes differ from the original bytes if any of the original
        // bytes were invalid. Most texts are ASCII, which is always valid.
        guard bytes.reduce(0, |) < 0x80 || utf8.elementsEqual(bytes) else { return nil }
    }
}
