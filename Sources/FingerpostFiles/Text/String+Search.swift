/// Searches for bytes that are not inlined where they are used: each use would be a copy of the whole loop.
extension String {
    /// True if all bytes of the text fulfill a condition; also for an empty text.
    @inline(never)
    package func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(isAllowed) } }
}
