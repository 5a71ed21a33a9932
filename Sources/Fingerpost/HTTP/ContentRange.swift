import FingerpostFiles

/// The header `Content-Range` (RFC 9110 section 14.4): which bytes of a whole a response contains.
struct ContentRange: Equatable {
    /// The positions of the first and the last byte; nil if the response contains none, as with the status 416.
    let bytes: ClosedRange<Int>?
    /// The size of the whole in bytes; nil if the server does not know it.
    let total: Int?

    /// - Parameter text: the value of the header. The result is nil for an invalid value, for another unit than bytes,
    ///   and for numbers of more than 64 bits.
    init?(_ text: String) {
        guard let (unit, range) = text.cut(at: " "), unit.lowercased() == "bytes",
            let (positions, size) = range.cut(at: "/")
        else { return nil }
        if size.isSame(as: "*") {
            total = nil
        } else {
            guard let number = size.wholeNumber else { return nil }
            total = number
        }
        if positions.isSame(as: "*") {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        guard let (first, last) = positions.cut(at: "-"), let first = first.wholeNumber, let last = last.wholeNumber,
            first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }
}
