package import Foundation

extension Document {
    /// Reads an XML or binary property list. Where it is more than plain, the values come from Foundation; the places, in XML, from a
    /// second look at the text, because Foundation keeps none.
    package init(propertyList data: Data, path: String) throws(FileProblem) {
        guard !data.isEmpty else {
            throw FileProblem(path: path, message: "the file is empty", fix: "write a property list with a dictionary")
        }
        let text = [UInt8](data)
        if let root = PlainPropertyListReader.read(text) {
            self.init(path: path, root: root, text: text)
            return
        }
        var format = PropertyListSerialization.PropertyListFormat.xml
        let object: Any
        do {
            object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw PropertyListFailure(error).problem(path: path)
        }
        var unfit: [UnfitValue] = []
        switch format {
        case .xml where !data.isUTF16:
            let root = Node(propertyList: object, places: PropertyListPlaces.find(in: text), &unfit)
            self.init(path: path, root: root, text: text)
        case .xml, .binary:
            self.init(path: path, root: Node(propertyList: object, places: nil, &unfit), text: nil)
        default:
            throw FileProblem(
                path: path, message: "the file is neither an XML nor a binary property list",
                fix: "save it as an XML property list, or rename it to .json if that is what it holds")
        }
        if let unfit = unfit.first {
            throw problem(at: unfit.offset, unfit.message, fix: unfit.fix)
        }
    }
}

/// A value that property lists can hold and we cannot.
private struct UnfitValue {
    /// Where it stands.
    var offset: Int?
    var message: String
    var fix: String?
}

extension Data {
    /// True for text in UTF-16, in which no places are looked for: XML starts with an ASCII character.
    fileprivate var isUTF16: Bool {
        starts(with: [0xFF, 0xFE]) || starts(with: [0xFE, 0xFF]) || prefix(2).contains(0)
    }
}

extension Node {
    /// - Parameters:
    ///   - places: where the value stands; nil where that is not known.
    ///   - depth: how many containers are around it.
    fileprivate init(
        propertyList object: Any, places: PropertyListPlaces.Place?, depth: Int = 0, _ unfit: inout [UnfitValue]
    ) {
        guard depth <= JSONReader.maximumDepth else {
            unfit.append(
                UnfitValue(offset: places?.offset, message: "nested deeper than \(JSONReader.maximumDepth) levels"))
            self.init(.null)
            return
        }
        let value: Value
        switch object {
        case _ where Self.isNumber(object):
            if let number = (object as? NSNumber).flatMap(Value.init) {
                value = number
            } else {
                unfit.append(
                    UnfitValue(
                        offset: places?.offset, message: "an integer does not fit in 64 bits",
                        fix: "make it a string to keep every digit"))
                value = .null
            }
        case let string as String:
            value = .string(string)
        case let dictionary as [String: Any]:
            // The order of the file where it is known, of the alphabet where it is not.
            var entries: [Entry] = []
            entries.reserveCapacity(dictionary.count)
            for (key, keyOffset, place) in places?.entries ?? [] {
                guard let object = dictionary[key] else { continue }
                let node = Node(propertyList: object, places: place, depth: depth + 1, &unfit)
                entries.append(Entry(key: key, keyOffset: keyOffset, node: node))
            }
            if entries.count != dictionary.count {
                let known = Set(entries.map(\.key))
                for (key, object) in dictionary.sorted(by: { $0.key < $1.key }) where !known.contains(key) {
                    entries.append(
                        Entry(key: key, node: Node(propertyList: object, places: nil, depth: depth + 1, &unfit)))
                }
            }
            value = .dictionary(entries)
        case let array as [Any]:
            let elements = places?.elements ?? []
            var nodes: [Node] = []
            for (index, element) in array.enumerated() {
                let place = index < elements.count ? elements[index] : nil
                nodes.append(Node(propertyList: element, places: place, depth: depth + 1, &unfit))
            }
            value = .array(nodes)
        case let date as Date:
            value = .date(date)
        case let data as Data:
            value = .data(data)
        default:
            value = .null
        }
        self.init(value, offset: places?.offset)
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

/// What Foundation says of a malformed property list. The line stands only in its debug text.
private struct PropertyListFailure {
    private let detail: String

    init(_ error: any Error) {
        let error = error as NSError
        detail = error.userInfo["NSDebugDescription"] as? String ?? error.localizedDescription
    }

    func problem(path: String) -> FileProblem {
        let line = detail.range(of: #"line [0-9]+"#, options: .regularExpression)
            .flatMap { Int(detail[$0].dropFirst("line ".count)) }
        return FileProblem(path: path, line: line, message: "not a property list: \(detail)")
    }
}
