/// A coding key that can have any name: an index, a dictionary's key, or a key that is not declared by any type.
package struct AnyCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

    package init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
}
