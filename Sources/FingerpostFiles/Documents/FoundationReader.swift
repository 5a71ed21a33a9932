package import Foundation

/// Reads JSON and property lists with Foundation, in an app without the strict parser. The values are the same as from
/// ``StrictParsing``, but they have no positions, and the keys of dictionaries are in alphabetical order.
package struct FoundationReader {
    /// The number of values and keys that may still be read. This number is limited, because a binary property list can
    /// refer to the same list again and again.
    private var budget = Int.max
    /// The budget before anything was read.
    private var limit = Int.max
    /// If false, a number that does not fit in 64 bits is read as a real number.
    private var keepsEveryDigit = true

    /// - Parameter path: the path of a property list ends in `.plist`.
    static func read(
        _ data: Data, path: String, _ kind: Document.Kind = .file
    ) throws(FileProblem) -> Document {
        do throws(FileProblem) {
            let isList = path.ends(with: ".plist")
            return Document(
                path: path, root: try isList ? propertyList(data, quotesText: kind == .file) : json(data, kind))
        } catch {
            throw error.located(in: path)
        }
    }

    private static func json(_ data: Data, _ kind: Document.Kind) throws(FileProblem) -> Node {
        if data.isEmpty { throw FileProblem("the file is empty", fix: "write a JSON value, for example {}") }
        let object: Any
        do { object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) } catch {
            throw FileProblem(json: error as NSError, in: data)
        }
        var reader = FoundationReader(keepsEveryDigit: kind != .body)
        return try reader.node(object, depth: 0)
    }

    package static func propertyList(_ data: Data, quotesText: Bool) throws(FileProblem) -> Node {
        if data.isEmpty { throw emptyPropertyList }
        #if !canImport(Darwin)
            // Foundation on Linux crashes when it reads a set, and runs out of memory when a file refers to one list
            // too often.
            if data.begins(with: "bplist") {
                throw FileProblem(
                    "a binary property list is read on Apple platforms alone",
                    fix: "save it as an XML property list, or as JSON")
            }
        #endif
        var format = PropertyListSerialization.PropertyListFormat.xml
        let object: Any
        do {
            object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw FileProblem(propertyList: error as NSError, quotesText)
        }
        // Foundation on Apple platforms also reads the old format of NeXTSTEP, which nobody expects.
        guard format == .xml || format == .binary else {
            throw FileProblem(
                "the file is neither an XML nor a binary property list",
                fix: "save it as an XML property list, or rename it to .json if it contains JSON")
        }
        var reader = FoundationReader(budget: data.count, limit: data.count)
        return try reader.node(object, depth: 0)
    }

    /// Converts a value that Foundation has read.
    package static func node(_ object: Any) throws(FileProblem) -> Node {
        var reader = FoundationReader()
        return try reader.node(object, depth: 0)
    }

    /// - Parameter depth: the number of dictionaries and lists that enclose the value.
    private mutating func node(_ object: Any, depth: Int) throws(FileProblem) -> Node {
        guard depth <= Node.maximumDepth else { throw FileProblem.nestedTooDeep }
        budget -= 1
        guard budget >= 0 else { throw FileProblem(repeatsMoreThan: limit) }
        switch object {
        case _ where Self.isNumber(object):
            guard let number = object as? NSNumber else { throw FileProblem.integerTooLong }
            return Node(try value(of: number))
        case let string as String: return Node(.string(string))
        case let dictionary as [String: Any]:
            budget -= dictionary.count
            var entries: [Node.Entry] = []
            for (key, object) in dictionary.ordered(by: { $0.key < $1.key }) {
                entries.append(Node.Entry(key: key, node: try node(object, depth: depth + 1)))
            }
            return Node(.dictionary(entries))
        case let array as [Any]:
            var elements: [Node] = []
            for element in array { elements.append(try node(element, depth: depth + 1)) }
            return Node(.array(elements))
        case let date as Date:
            guard ISO8601Text.canWrite(date) else { throw FileProblem.dateOutOfRange }
            return Node(.date(date))
        case let data as Data: return Node(.data(data))
        case is NSNull: return Node(.null)
        default:
            throw FileProblem(
                "the property list contains a reference of a keyed archive",
                fix: "rename the key CF$UID, or save plain values instead of an archive")
        }
    }

    /// True for numbers and booleans. The type is compared instead of casting the value, because a failing cast is
    /// slow. On Linux, casting a dictionary to a number first converts the whole dictionary to a Foundation object.
    private static func isNumber(_ object: Any) -> Bool {
        type(of: object) is NSNumber.Type || type(of: object) == Bool.self
    }

    /// A boolean, an integer or a real number, depending on the C type code of Foundation's number. A cast would not
    /// distinguish 1 from true.
    private func value(of number: NSNumber) throws(FileProblem) -> Node.Value {
        // Foundation reads JSON numbers of more than 17 digits as decimal numbers, whose `doubleValue` is not the
        // nearest number.
        if let decimal = number as? NSDecimalNumber {
            let text = decimal.description
            return Int64(text).map(Node.Value.integer) ?? .real(Double(text) ?? decimal.doubleValue)
        }
        switch String(cString: number.objCType) {
        case "c", "B": return .boolean(number.boolValue)
        case "f", "d": return .real(number.doubleValue)
        default:
            if let integer = Int64(exactly: number) { return .integer(integer) }
            if keepsEveryDigit { throw FileProblem.integerTooLong }
            return .real(number.doubleValue)
        }
    }

    package static let emptyPropertyList = FileProblem(
        "the file is empty", fix: "write a property list with a dictionary")
}

extension FileProblem {
    package static let integerTooLong = FileProblem(
        "an integer does not fit in 64 bits", fix: "write a smaller number, or make it a string and read it as text")
    package static let numberTooLarge = FileProblem("a number is too large", fix: integerTooLong.fix)
    package static let notUTF8 = FileProblem("the file is not UTF-8", fix: "save the file as UTF-8")
    package static let dateOutOfRange = FileProblem(
        "a date is not between the years 1 and 9999", fix: "correct the date, or make it a string")
    package static let nestedTooDeep = FileProblem("nested deeper than \(Node.maximumDepth) levels")

    /// Creates the error for a binary property list that refers to the same values too often.
    package init(repeatsMoreThan count: Int) {
        self.init(
            "the property list repeats its values: it would become more than \(count) values",
            fix: "save it as an XML property list")
    }

    /// Converts Foundation's error for malformed JSON. The text of the error can quote the file, so only the position
    /// is used: the number of a byte on Linux, a line on Apple platforms.
    fileprivate init(json error: NSError, in data: Data) {
        let detail = error.userInfo["NSDebugDescription"] as? String ?? ""
        if detail.hasPrefix("Too many nested") {
            self = .nestedTooDeep
            return
        }
        // These texts are the same on Linux and on Apple platforms.
        if detail.contains(bytesOf: "not representable") || detail.contains(bytesOf: "wound up as NaN") {
            self = .numberTooLarge
            return
        }
        let line = detail.firstMatch(of: /line ([0-9]+)/).flatMap { Int(digits: $0.output.1) }
        let offset = detail.firstMatch(of: /character ([0-9]+)/).flatMap { Int(digits: $0.output.1) }
        self.init(
            path: nil, line: line ?? offset.map { data.prefix($0).count { $0 == UInt8(ascii: "\n") } + 1 },
            message: "there is a syntax error", fix: "write valid JSON; fingerpost-cli check names the mistake")
    }

    /// Converts Foundation's error for a malformed property list to a problem. Foundation gives the line number only in
    /// the text of the error's debug description.
    fileprivate init(propertyList error: NSError, _ quotesText: Bool) {
        let detail = error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
        if detail.hasPrefix("Too many nested") {
            self = .nestedTooDeep
            return
        }
        self.init(
            path: nil, line: detail.firstMatch(of: /line ([0-9]+)/).flatMap { Int(digits: $0.output.1) },
            message: "not a property list" + (quotesText ? ": \(detail)" : ""),
            fix: detail.contains("unknown tag null") ? "leave the key out, or list it in \"$secrets\"" : nil)
    }
}
