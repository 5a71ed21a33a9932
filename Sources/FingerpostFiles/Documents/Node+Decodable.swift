/// Reads what `JSONDecoder` reads, with the keys as the decoder converts them. That is more than JSON, because a
/// decoder looks at a value only when a model reads it. A value that it cannot read is the text `…`. Values have no
/// offsets, and keys are in alphabetical order.
extension Node: Decodable {
    package init(from decoder: any Decoder) throws {
        // Each failed attempt only means that the value is of another kind.
        if let object = try? decoder.container(keyedBy: AnyCodingKey.self) {
            let keys = object.allKeys.ordered { $0.stringValue < $1.stringValue }
            let entries = try keys.map { Entry(key: $0.stringValue, node: try object.decode(Node.self, forKey: $0)) }
            self.init(.dictionary(entries))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self.init(.array(try [Node](from: decoder)))
        } else {
            let scalar = try decoder.singleValueContainer()
            let text = (try? scalar.decode(String.self)).map(Value.string)
            let flag = text ?? (try? scalar.decode(Bool.self)).map(Value.boolean)
            let number =
                flag ?? (try? scalar.decode(Int64.self)).map(Value.integer)
                ?? (try? scalar.decode(Double.self)).map(Value.real)
            self.init(scalar.decodeNil() ? .null : number ?? .string("…"))
        }
    }
}
