package import Foundation

extension Document {
    /// Reads an XML or binary property list. If ``PropertyListXML`` can read the file, every value has an offset.
    /// UTF-16 files and unusual XML files are read by Foundation. Their values, and those of binary files, have no
    /// offsets.
    ///
    /// - Parameter quotesText: false for text with secrets, of which the error must contain nothing.
    /// - Throws: an error when the file is not a property list, or when it contains a value that ``Node`` cannot
    ///   represent. The error includes the line, if known.
    package init(propertyList data: Data, path: String, quotesText: Bool = true) throws(FileProblem) {
        guard !data.isEmpty else {
            throw FileProblem(path: path, message: "the file is empty", fix: "write a property list with a dictionary")
        }
        let text = [UInt8](data)
        do throws(FileProblem) {
            if text.starts(with: PropertyListBinary.signature) {
                self.init(path: path, root: try PropertyListBinary.read(text), text: nil)
            } else if let root = try PropertyListXML.read(text) {
                self.init(path: path, root: root, text: text)
            } else {
                self.init(path: path, root: try Self.foundation(data, quotesText), text: nil)
            }
        } catch {
            throw error.advised(by: text, isJSON: false).located(in: path)
        }
    }

    /// Reads a property list that is not binary.
    private static func foundation(_ data: Data, _ quotesText: Bool) throws(FileProblem) -> Node {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let object: Any
        do {
            object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw FileProblem(propertyList: error as NSError, quotesText)
        }
        guard format == .xml else {
            throw FileProblem(
                "the file is neither an XML nor a binary property list",
                fix: "save it as an XML property list, or rename it to .json if it contains JSON")
        }
        return try Node(propertyList: object)
    }
}

extension Node {
    /// - Parameters:
    ///   - object: a value read by Foundation. The resulting node's dictionaries have their keys in alphabetical order.
    ///   - depth: the number of dictionaries and lists that enclose the value.
    init(propertyList object: Any, depth: Int = 0) throws(FileProblem) {
        guard depth <= JSONReader.maximumDepth else {
            throw FileProblem("nested deeper than \(JSONReader.maximumDepth) levels")
        }
        switch object {
        case _ where Self.isNumber(object):
            guard let number = (object as? NSNumber).flatMap(Value.init) else { throw FileProblem.integerTooLong }
            self.init(number)
        case let string as String: self.init(.string(string))
        case let dictionary as [String: Any]:
            var entries: [Entry] = []
            for (key, object) in dictionary.ordered(by: { $0.key < $1.key }) {
                entries.append(Entry(key: key, node: try Node(propertyList: object, depth: depth + 1)))
            }
            self.init(.dictionary(entries))
        case let array as [Any]:
            var elements: [Node] = []
            for element in array { elements.append(try Node(propertyList: element, depth: depth + 1)) }
            self.init(.array(elements))
        case let date as Date:
            guard ISO8601Text.canWrite(date) else { throw FileProblem.dateOutOfRange }
            self.init(.date(date))
        case let data as Data: self.init(.data(data))
        default:
            throw FileProblem(
                "the property list contains a reference of a keyed archive",
                fix: "rename the key CF$UID, or save plain values instead of an archive")
        }
    }

    /// True for numbers and booleans. Compares types instead of casting the value, because a cast that fails is
    /// slow: on Linux, casting a dictionary to a number first converts the whole dictionary to a Foundation object.
    private static func isNumber(_ object: Any) -> Bool {
        type(of: object) is NSNumber.Type || type(of: object) == Bool.self
    }
}

extension Node.Value {
    /// Converts a property list's number to a boolean, an integer or a real number, depending on the C type code of
    /// Foundation's number.
    ///
    /// Returns nil for an integer that does not fit in 64 bits.
    fileprivate init?(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c", "B": self = .boolean(number.boolValue)
        case "f", "d": self = .real(number.doubleValue)
        default:
            guard let integer = Int64(exactly: number) else { return nil }
            self = .integer(integer)
        }
    }
}

extension FileProblem {
    static let integerTooLong = FileProblem(
        "an integer does not fit in 64 bits", fix: "make it a string to keep every digit")
    static let dateOutOfRange = FileProblem(
        "a date is not between the years 1 and 9999", fix: "correct the date, or make it a string")

    /// Converts Foundation's error for a malformed property list to a problem. Foundation gives the line number only in
    /// the text of the error's debug description.
    fileprivate init(propertyList error: NSError, _ quotesText: Bool) {
        let detail = error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
        self.init(
            path: nil, line: detail.firstMatch(of: /line ([0-9]+)/).flatMap { Int($0.output.1) },
            message: "not a property list" + (quotesText ? ": \(detail)" : ""),
            fix: detail.contains("unknown tag null") ? "leave the key out, or list it in \"$secrets\"" : nil)
    }
}
