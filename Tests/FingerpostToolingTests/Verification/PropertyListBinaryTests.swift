import TestSupport

@testable import FingerpostFiles
@testable import FingerpostTooling

@Suite(.inTurn) struct PropertyListBinaryTests {
    private func read(_ data: Data) throws -> Node { try BuildParser.read(data, path: "x.plist", .file).root }

    /// A file whose lists each refer twice to the next list, so that 2^levels values come from a few bytes.
    private static func doubled(levels: Int) -> BinaryPropertyList {
        let lists = (1...levels).map { BinaryPropertyList.array(UInt8($0), UInt8($0)) }
        return BinaryPropertyList(objects: lists + [BinaryPropertyList.string("x")])
    }

    private static let dictionary: [UInt8] = [0xD1, 1, 2]
    private static let key = BinaryPropertyList.string("key")

    private static func changed(_ change: (inout BinaryPropertyList) -> Void) -> BinaryPropertyList {
        var list = BinaryPropertyList(dictionary, key, BinaryPropertyList.string("text"))
        change(&list)
        return list
    }

    private static func value(_ object: [UInt8]) -> BinaryPropertyList { BinaryPropertyList(dictionary, key, object) }

    private static func real(_ number: Double) -> [UInt8] { BinaryPropertyList.bytes(number.bitPattern) }

    private static let malformed: [(BinaryPropertyList, String)] = [
        (doubled(levels: 60), "repeats its values"), (doubled(levels: 9), "repeats its values"),
        (BinaryPropertyList(BinaryPropertyList.array(0)), "contains itself"),
        (BinaryPropertyList(BinaryPropertyList.array(1), BinaryPropertyList.array(0)), "contains itself"),
        (BinaryPropertyList([0xD1, 0, 1], key), "contains itself"), (BinaryPropertyList([0xC0]), "a set"),
        (BinaryPropertyList([0xB1, 1], key), "a set"), (value([0xC1, 1]), "a set"),
        (value([0x80, 7]), "keyed archive"), (value([0x83, 0, 0, 0, 7]), "keyed archive"),
        (BinaryPropertyList([0xD1, 1, 2], [0x10, 7], key), "not a string"),
        (BinaryPropertyList(dictionary, key), "outside the file"),
        (changed { $0.offsets = [1: 0] }, "outside the file"),
        (changed { $0.offsets = [1: 60_000] }, "outside the file"),
        (changed { $0.root = 3 }, "trailer"), (changed { $0.count = .max }, "trailer"),
        (changed { $0.count = 1 << 62 }, "trailer"), (changed { $0.table = .max }, "trailer"),
        (changed { $0.table = 0 }, "trailer"), (changed { $0.offsetSize = 0 }, "trailer"),
        (changed { $0.referenceSize = 0 }, "trailer"), (changed { $0.referenceSize = 9 }, "trailer"),
        (changed { $0.referenceSize = 8 }, "end of the objects"), (changed { $0.signature = "bplist15" }, "version"),
        (value([0xAF]), "end of the objects"), (value([0xAF, 0x14] + [UInt8](repeating: 255, count: 16)), "length"),
        (value([0xAF, 0x13] + [UInt8](repeating: 255, count: 8)), "larger than the file"),
        (value([0xAF, 0x13, 0x7F] + [UInt8](repeating: 255, count: 7)), "end of the objects"),
        (value([0x6F, 0x13, 0x7F] + [UInt8](repeating: 255, count: 7)), "larger than the file"),
        (value([0x4F, 0x13, 0x7F] + [UInt8](repeating: 255, count: 7)), "end of the objects"),
        (value([0x59]), "end of the objects"), (value([0x13, 1]), "end of the objects"),
        (value([0x15]), "unknown kind"), (value([0x21, 0]), "unknown kind"),
        (value([0x32, 0, 0, 0, 0]), "unknown kind"),
        (value([0x01]), "unknown kind"), (value([0x70]), "unknown kind"), (value([0xE0]), "unknown kind"),
        (value([0x14] + [UInt8](repeating: 255, count: 8) + [UInt8](repeating: 0, count: 8)), "64 bits"),
        (value([0x14, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]), "64 bits"),
        (value([0x33] + real(.nan)), "a date"), (value([0x33] + real(.infinity)), "a date"),
        (value([0x33] + real(1e30)), "a date"), (value([0x33] + real(-1e12)), "a date"),
        (value([0x51, 0xE9]), "ASCII"), (value([0x61, 0xD8, 0]), "UTF-16"),
    ]

    @Test func `A file that Foundation may not survive is refused`() {
        for (index, (list, message)) in Self.malformed.enumerated() {
            let problem = #expect(throws: FileProblem.self, "\(index)") { try read(list.data) }
            let found = (problem?.path, problem?.message.contains(message))
            #expect(found == ("x.plist", true), "\(index): \(problem as Any) for \(message)")
        }
    }

    @Test func `A file that nests too deeply is refused`() throws {
        let deep = { (levels: Int) in
            var list = BinaryPropertyList(
                objects: (1..<levels).map { [0xA1] + BinaryPropertyList.bytes(UInt64($0)).suffix(2) } + [[0xA0]])
            list.referenceSize = 2
            return list.data
        }
        _ = try read(deep(Node.maximumDepth))
        let problem = #expect(throws: FileProblem.self) { try read(deep(Node.maximumDepth + 1)) }
        #expect(problem?.message.contains("512 levels") == true)
    }

    @Test func `Values that are shared as writers share them are read`() throws {
        let list = BinaryPropertyList(BinaryPropertyList.array(1, 1, 1, 2, 2), Self.dictionary, Self.key)
        var shared = list
        shared.objects = [[0xA5, 1, 1, 1, 2, 2], [0xD1, 2, 2], Self.key]
        let elements = if case .array(let elements) = try read(shared.data).value { elements } else { [Node]() }
        #expect(elements.map { $0["key"]?.string ?? $0.string } == ["key", "key", "key", "key", "key"])
    }

    private static func whole() throws -> Data {
        let long = String(repeating: "a long text, ", count: 20)
        let object: [String: Any] = [
            "text": "text", "grüße 🦉": "𝄞 é", long: long, "flags": [true, false],
            "numbers": [0, 1, 255, 256, 65_536, 1 << 33, Int.max, -1, Int.min, 0.5, -3.25, Float(0.1), 1e300],
            "dates": [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSince1970: -1e9)],
            "data": [Data(), Data((0...20).map { UInt8($0) })], "empty": [[String: Int](), [Int](), ""],
            "many": Dictionary(uniqueKeysWithValues: (0..<16).map { ("key \($0)", $0) }),
        ]
        return try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    }

    @Test func `Every value is the same as Foundation reads it`() throws {
        let data = try Self.whole()
        let foundation = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        #expect(try "\(read(data).value)" == "\(FoundationReader.node(foundation).value)")
    }

    @Test func `A file that is cut anywhere is refused`() throws {
        let data = try Self.whole()
        for count in 0..<data.count { #expect(throws: FileProblem.self) { try read(data.prefix(count)) } }
    }
}
