import Foundation

/// Writes binary property lists object by object, valid or not.
struct BinaryPropertyList {
    /// The objects' bytes. References are one byte.
    var objects: [[UInt8]]
    var root = 0
    var offsetSize = 2
    var referenceSize = 1
    /// The offset to write instead of an object's own, by the object's number.
    var offsets: [Int: Int] = [:]
    /// The number of objects to write into the trailer instead of the real one.
    var count: UInt64?
    /// The offset table's place to write into the trailer instead of the real one.
    var table: UInt64?
    var signature = "bplist00"

    init(_ objects: [UInt8]...) { self.objects = objects }

    init(objects: [[UInt8]]) { self.objects = objects }

    var data: Data {
        var bytes = Array(signature.utf8)
        var table: [UInt8] = []
        for (number, object) in objects.enumerated() {
            table += Self.bytes(UInt64(offsets[number] ?? bytes.count)).suffix(offsetSize)
            bytes += object
        }
        let start = UInt64(bytes.count)
        bytes += table + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        bytes += Self.bytes(count ?? UInt64(objects.count)) + Self.bytes(UInt64(root)) + Self.bytes(self.table ?? start)
        return Data(bytes)
    }

    /// An integer in eight bytes, most significant first.
    static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// The object of a list.
    static func array(_ references: UInt8...) -> [UInt8] { [0xA0 | UInt8(references.count)] + references }

    /// The object of an ASCII string of up to 14 characters.
    static func string(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }
}
