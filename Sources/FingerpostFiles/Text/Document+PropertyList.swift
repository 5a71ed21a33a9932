package import Foundation

extension Document {
    /// Reads an XML or binary property list; places are known in XML. Foundation alone reads binary files, and XML that is in UTF-16 or
    /// out of the ordinary.
    package init(propertyList data: Data, path: String) throws(FileProblem) {
        guard !data.isEmpty else {
            throw FileProblem(path: path, message: "the file is empty", fix: "write a property list with a dictionary")
        }
        let text = [UInt8](data)
        do throws(FileProblem) {
            if let root = try PropertyListXML.read(text) {
                self.init(path: path, root: root, text: text)
            } else {
                self.init(path: path, root: try Self.foundation(data), text: nil)
            }
        } catch {
            throw error.located(in: path)
        }
    }

    private static func foundation(_ data: Data) throws(FileProblem) -> Node {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let object: Any
        do {
            object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw FileProblem(propertyList: error as NSError)
        }
        guard format == .xml || format == .binary else {
            throw FileProblem(
                "the file is neither an XML nor a binary property list",
                fix: "save it as an XML property list, or rename it to .json if it contains JSON")
        }
        return try Node(propertyList: object)
    }
}

extension Node {
    /// - Parameters:
    ///   - object: what Foundation has read. Dictionaries come in the order of the alphabet.
    ///   - depth: how many containers are around it.
    init(propertyList object: Any, depth: Int = 0) throws(FileProblem) {
        guard depth <= JSONReader.maximumDepth else {
            throw FileProblem("nested deeper than \(JSONReader.maximumDepth) levels")
        }
        switch object {
        case _ where Self.isNumber(object):
            guard let number = (object as? NSNumber).flatMap(Value.init) else {
                throw FileProblem(
                    "an integer does not fit in 64 bits", fix: "make it a string to keep every digit")
            }
            self.init(number)
        case let string as String: self.init(.string(string))
        case let dictionary as [String: Any]:
            var entries: [Entry] = []
            for (key, object) in dictionary.sorted(by: { $0.key < $1.key }) {
                entries.append(Entry(key: key, node: try Node(propertyList: object, depth: depth + 1)))
            }
            self.init(.dictionary(entries))
        case let array as [Any]:
            var elements: [Node] = []
            for element in array { elements.append(try Node(propertyList: element, depth: depth + 1)) }
            self.init(.array(elements))
        case let date as Date: self.init(.date(date))
        case let data as Data: self.init(.data(data))
        default: self.init(.null)
        }
    }

    /// True for numbers and booleans. The type says so quickly; casts that fail are slow, and on Linux one of a dictionary to a number
    /// bridges the whole of it.
    private static func isNumber(_ object: Any) -> Bool {
        type(of: object) is NSNumber.Type || type(of: object) == Bool.self
    }
}

extension Node.Value {
    /// Foundation says by its C type code which of the three kinds a number of a property list had.
    ///
    /// nil for an integer beyond 64 bits.
    fileprivate init?(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c", "B": self = .boolean(number.boolValue)
        case "f", "d": self = .real(number.doubleValue)
        default:
            guard let integer = Int(exactly: number) else { return nil }
            self = .integer(integer)
        }
    }
}

extension FileProblem {
    /// What Foundation says of a malformed property list. The line is only in its debug text.
    fileprivate init(propertyList error: NSError) {
        let detail = error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
        self.init("not a property list: \(detail)")
        line = detail.firstMatch(of: /line ([0-9]+)/).flatMap { Int($0.output.1) }
    }
}
