extension Int {
    /// True for a successful HTTP status, 2xx (RFC 9110 section 15.3).
    package var isSuccessStatus: Bool { (200..<300).contains(self) }
}
