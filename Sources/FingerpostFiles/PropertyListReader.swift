package import Foundation

extension Document {
    /// Reads an XML or binary property list. The values come from Foundation; the places, in XML, from a second look
    /// at the text, because Foundation keeps none.
    package init(propertyList data: Data, path: String) throws(FileProblem) {
        guard !data.isEmpty else {
            throw FileProblem(path: path, message: "the file is empty", fix: "write a property list with a dictionary")
        }
        var format = PropertyListSerialization.PropertyListFormat.xml
        let object: Any
        do {
            object = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw PropertyListFailure(error).problem(path: path)
        }
        switch format {
        case .binary:
            self.init(path: path, root: Node(propertyList: object, places: nil), text: nil)
        case .xml:
            let text = [UInt8](data)
            var places = PropertyListPlaces(text)
            self.init(path: path, root: Node(propertyList: object, places: places.next()), text: text)
        default:
            throw FileProblem(
                path: path, message: "the file is neither an XML nor a binary property list",
                fix: "save it as an XML property list, or rename it to .json if that is what it holds")
        }
    }
}

extension Node {
    /// - Parameter places: where the value stands; nil in binary property lists.
    fileprivate init(propertyList object: Any, places: PropertyListPlaces.Place?) {
        let value: Value
        switch object {
        case let dictionary as [String: Any]:
            // The order of the file where it is known, of the alphabet where it is not.
            let order = places?.entries ?? dictionary.keys.sorted().map { ($0, nil, nil) }
            let entries = order.compactMap { key, keyOffset, place in
                dictionary[key].map {
                    Entry(key: key, keyOffset: keyOffset, node: Node(propertyList: $0, places: place))
                }
            }
            // Keys whose place was not found, such as those with character references, are keys all the same.
            let missing = dictionary.keys.filter { key in !entries.contains { $0.key == key } }.sorted()
            value = .dictionary(
                entries
                    + missing.compactMap { key in
                        dictionary[key].map { Entry(key: key, node: Node(propertyList: $0, places: nil)) }
                    })
        case let array as [Any]:
            let elements = places?.elements ?? []
            value = .array(
                array.enumerated().map { index, element in
                    Node(propertyList: element, places: index < elements.count ? elements[index] : nil)
                })
        case let string as String:
            value = .string(string)
        case let date as Date:
            value = .date(date)
        case let data as Data:
            value = .data(data)
        case let number as NSNumber:
            value = Value(number)
        default:
            value = .null
        }
        self.init(value, offset: places?.offset)
    }
}

extension Node.Value {
    /// Foundation says by its C type code which of the three kinds a number of a property list had.
    fileprivate init(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        case "c", "B": self = .boolean(number.boolValue)
        case "f", "d": self = .real(number.doubleValue)
        // Beyond Int64: all that is left is its magnitude.
        case "Q" where number.uint64Value > UInt64(Int64.max): self = .real(number.doubleValue)
        default: self = .integer(number.intValue)
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
