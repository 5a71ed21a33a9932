/// A coding key that can have any name: an index, a dictionary's key, or a key that is not declared by any type.
package struct AnyCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    package init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { self.init(intValue) }
}
