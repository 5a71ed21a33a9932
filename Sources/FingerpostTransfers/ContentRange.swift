import FingerpostFiles

/// The header `Content-Range` (RFC 9110 section 14.4): which bytes of a whole a response contains.
struct ContentRange: Equatable {
    /// The positions of the first and the last byte; nil if the response contains none, as with the status 416.
    let bytes: ClosedRange<Int64>?
    /// The size of the whole in bytes; nil if the server does not know it.
    let total: Int64?

    /// - Parameter text: the value of the header. The result is nil for an invalid value, for another unit than bytes,
    ///   and for numbers of more than 64 bits.
    init?(_ text: String) {
        guard let (unit, range) = text.cut(at: " "), unit.lowercased() == "bytes",
            let (positions, size) = range.cut(at: "/")
        else { return nil }
        if size.isSame(as: "*") {
            total = nil
        } else {
            guard let number = Int64(digits: size) else { return nil }
            total = number
        }
        if positions.isSame(as: "*") {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        guard let (first, last) = positions.cut(at: "-"), let first = Int64(digits: first),
            let last = Int64(digits: last), first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }
}
