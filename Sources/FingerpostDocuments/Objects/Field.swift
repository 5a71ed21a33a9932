package import FingerpostFiles

/// A key of an object in a file, and how its value is read into the result for the whole object.
package struct Field<Result> {
    package let key: String
    let read: (inout ObjectReader, Node.Entry, inout Result) -> Void

    package init(_ key: String, read: @escaping (inout ObjectReader, Node.Entry, inout Result) -> Void) {
        (self.key, self.read) = (key, read)
    }

    /// A key whose value is kept in a property. If the value is invalid, the property becomes nil.
    ///
    /// - Parameter value: the value of an entry; nil if it is invalid, and reported.
    package init<Value>(
        _ key: String, _ property: WritableKeyPath<Result, Value?>,
        _ value: @escaping (inout ObjectReader, Node.Entry) -> Value?
    ) {
        self.init(key) { reader, entry, result in result[keyPath: property] = value(&reader, entry) }
    }
}
