import FingerpostFiles
import Foundation

/// Reads a binary property list (`bplist0`), whose layout Apple documents in the sources of Core Foundation.
///
/// The file is never passed to Foundation. On Linux, Foundation crashes when it reads a set. In addition, a file of 300
/// bytes can fill the memory if its values refer to the same lists again and again. This reader accepts only the kinds
/// of values that an XML property list can contain. The reader fails if the file has more values than bytes.
struct PropertyListBinary {
    static let signature = Array("bplist".utf8)

    private let bytes: UnsafeBufferPointer<UInt8>
    private let offsets: Table
    private let referenceWidth: Int
    /// The scalars read so far, because many containers can refer to the same scalar.
    private var scalars: [Int: Node.Value] = [:]
    /// The containers that are being read, outermost first. With this list, the reader detects a container that
    /// contains itself.
    private var open: [Int] = []
    /// The number of values and keys that may still be read.
    private var budget: Int

    /// Big-endian integers of the same width in bytes.
    private struct Table {
        let start: Int
        let width: Int
        let count: Int
    }

    /// Reads a property list. The dictionaries of the result have sorted keys.
    static func read(_ bytes: [UInt8]) throws(FileProblem) -> Node {
        let result = bytes.withUnsafeBufferPointer { bytes -> Result<Node, FileProblem> in
            do throws(FileProblem) {
                var (reader, root) = try trailer(of: bytes)
                return .success(try reader.node(root))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, offsets: Table, referenceWidth: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceWidth = referenceWidth
        budget = bytes.count
    }

    // MARK: Layout

    private static let headerSize = 8
    private static let trailerSize = 32

    /// Reads the trailer, which contains the number of the root object, and the position and the sizes of the offset
    /// table.
    private static func trailer(
        of bytes: UnsafeBufferPointer<UInt8>
    ) throws(FileProblem) -> (PropertyListBinary, root: Int) {
        guard bytes.count > headerSize, bytes[signature.count] == UInt8(ascii: "0") else {
            throw malformed("its version is unknown")
        }
        let start = bytes.count - trailerSize
        guard start > headerSize else { throw malformed("it is too short") }
        let (offsetWidth, referenceWidth) = (Int(bytes[start + 6]), Int(bytes[start + 7]))
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
            let count = integer(bytes[(start + 8)..<(start + 16)]),
            let root = integer(bytes[(start + 16)..<(start + 24)]),
            let table = integer(bytes[(start + 24)..<(start + 32)]),
            (headerSize..<start).contains(table), count <= (start - table) / offsetWidth, root < count
        else { throw malformed("its trailer is invalid") }
        let offsets = Table(start: table, width: offsetWidth, count: count)
        return (PropertyListBinary(bytes, offsets: offsets, referenceWidth: referenceWidth), root)
    }

    /// Returns the big-endian integer in a range of bytes, or nil if the integer is 2^63 or greater.
    private static func integer(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let significant = bytes.drop { $0 == 0 }
        guard significant.count <= 8 else { return nil }
        return Int(exactly: significant.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func malformed(_ reason: String) -> FileProblem {
        FileProblem(
            "not a binary property list: \(reason)", fix: "save it as an XML property list, or restore the file")
    }

    private static func unsupported(_ kind: String) -> FileProblem {
        FileProblem(
            "the property list contains \(kind), which XML property lists cannot contain",
            fix: "replace it with a list, a dictionary, a string, a number, a boolean, a date or data")
    }

    /// Returns the bytes of an object's content, which must end before the offset table.
    private func content(at start: Int, _ count: Int) throws(FileProblem) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard count >= 0, count <= offsets.start - start else {
            throw Self.malformed("an object extends past the end of the objects")
        }
        return bytes[start..<(start + count)]
    }

    // MARK: Objects

    private mutating func node(_ index: Int) throws(FileProblem) -> Node {
        budget -= 1
        guard budget >= 0 else {
            throw FileProblem(repeatsMoreThan: bytes.count)
        }
        if let scalar = scalars[index] { return Node(scalar) }
        guard index < offsets.count,
            let offset = Self.integer(try entry(index, of: offsets)), (Self.headerSize..<offsets.start).contains(offset)
        else { throw Self.malformed("an object is outside the file") }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        switch kind {
        case 0xA, 0xD:
            guard open.count < Node.maximumDepth else { throw FileProblem.nestedTooDeep }
            guard !open.contains(index) else { throw Self.malformed("a value contains itself") }
            open.append(index)
            defer { open.removeLast() }
            return Node(try kind == 0xA ? array(at: offset) : dictionary(at: offset))
        default:
            let scalar = try scalar(kind, low, at: offset)
            scalars[index] = scalar
            return Node(scalar)
        }
    }

    private func entry(_ index: Int, of table: Table) throws(FileProblem) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = table.start + index * table.width
        return bytes[start..<(start + table.width)]
    }

    private mutating func array(at offset: Int) throws(FileProblem) -> Node.Value {
        let references = try references(at: offset, perElement: 1)
        var elements: [Node] = []
        for index in 0..<references.count { elements.append(try node(reference(index, of: references))) }
        return .array(elements)
    }

    private mutating func dictionary(at offset: Int) throws(FileProblem) -> Node.Value {
        let references = try references(at: offset, perElement: 2)
        let count = references.count / 2
        var entries: [Node.Entry] = []
        for index in 0..<count {
            guard let key = try node(reference(index, of: references)).string else {
                throw Self.malformed("a key of a dictionary is not a string")
            }
            entries.append(Node.Entry(key: key, node: try node(reference(count + index, of: references))))
        }
        return .dictionary(entries.sorted { $0.key < $1.key })
    }

    /// Returns the table of references in a container.
    private func references(at offset: Int, perElement: Int) throws(FileProblem) -> Table {
        let (count, start) = try length(at: offset)
        let (total, overflow) = count.multipliedReportingOverflow(by: perElement * referenceWidth)
        guard !overflow else { throw Self.malformed("a container is larger than the file") }
        _ = try content(at: start, total)
        return Table(start: start, width: referenceWidth, count: count * perElement)
    }

    private func reference(_ index: Int, of table: Table) throws(FileProblem) -> Int {
        // If an object's number is too large for `Int`, the result is the largest `Int`, because no object has either
        // number.
        Self.integer(try entry(index, of: table)) ?? .max
    }

    /// Returns the number of elements, bytes or characters of an object, and the offset of the first element, byte or
    /// character. The lower four bits of the object's first byte are the number, or 15 if an integer with the
    /// number follows.
    private func length(at offset: Int) throws(FileProblem) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 15)
        guard low == 15 else { return (low, offset + 1) }
        guard let marker = try content(at: offset + 1, 1).first, marker >> 4 == 1, marker & 15 <= 3 else {
            throw Self.malformed("an object has no length")
        }
        let width = 1 << Int(marker & 15)
        guard let count = Self.integer(try content(at: offset + 2, width)) else {
            throw Self.malformed("an object is larger than the file")
        }
        return (count, offset + 2 + width)
    }

    // MARK: Scalars

    private func scalar(_ kind: UInt8, _ low: Int, at offset: Int) throws(FileProblem) -> Node.Value {
        switch (kind, low) {
        case (0, 0): return .null
        case (0, 8): return .boolean(false)
        case (0, 9): return .boolean(true)
        case (1, 0...4): return try integer(at: offset + 1, width: 1 << low)
        case (2, 2), (2, 3): return .real(try real(at: offset + 1, width: 1 << low))
        case (3, 3): return .date(try date(try real(at: offset + 1, width: 8)))
        case (4, _):
            let (count, start) = try length(at: offset)
            return .data(Data(try content(at: start, count)))
        case (5, _), (6, _): return .string(try string(at: offset, isASCII: kind == 5))
        case (8, _): throw Self.unsupported("a reference of a keyed archive")
        case (0xB, _), (0xC, _): throw Self.unsupported("a set")
        default:
            throw Self.malformed("an object is of the unknown kind 0x\(String(bytes[offset], radix: 16))")
        }
    }

    /// Reads an integer. Integers of up to four bytes are unsigned. Longer integers are signed.
    private func integer(at start: Int, width: Int) throws(FileProblem) -> Node.Value {
        let content = try content(at: start, width)
        let isNegative = width >= 8 && content.first.map { $0 >= 0x80 } == true
        let low = content.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let integer = Int64(bitPattern: low)
        let fits = content.dropLast(8).allSatisfy { $0 == (isNegative ? 0xFF : 0) } && (integer < 0) == isNegative
        guard fits else { throw FileProblem.integerTooLong }
        return .integer(integer)
    }

    private func real(at start: Int, width: Int) throws(FileProblem) -> Double {
        let bits = try content(at: start, width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }

    private func date(_ seconds: Double) throws(FileProblem) -> Date {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        guard ISO8601Text.canWrite(date) else { throw FileProblem.dateOutOfRange }
        return date
    }

    private func string(at offset: Int, isASCII: Bool) throws(FileProblem) -> String {
        let (count, start) = try length(at: offset)
        let (size, overflow) = count.multipliedReportingOverflow(by: isASCII ? 1 : 2)
        guard !overflow else { throw Self.malformed("a string is larger than the file") }
        let content = try content(at: start, size)
        if isASCII {
            guard content.allSatisfy({ $0 < 0x80 }) else { throw Self.malformed("a string is not ASCII") }
            return String(decoding: content, as: UTF8.self)
        }
        let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw Self.malformed("a string is not UTF-16")
        }
        return text
    }
}
