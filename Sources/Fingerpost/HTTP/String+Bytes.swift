extension String {
    /// Calls the closure with the string's UTF-8 bytes in contiguous memory. A loop over these bytes is several times
    /// faster than a loop over `utf8`.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
        var text = self
        return try text.withUTF8(body)
    }
}
