import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The JSON text of a body. Finds a value's line by the path at which a model reads the value.
struct BodyText: Sendable {
    let root: Node
    private let document: Document
    private let conversion: KeyConversion

    /// - Parameter decoder: reads a body that is not JSON. The values of such a body have no lines, and the keys are
    ///   those that the decoder has converted.
    /// - Returns: nil if the body is neither JSON nor readable by the decoder.
    init?(_ data: Data, decoder: any BodyDecoder) {
        if let root = JSONReader.inspect(data) {
            self.root = root
            document = Document(path: "", root: root, text: [UInt8](data))
            conversion = KeyConversion(decoder)
        } else {
            guard let root = try? decoder.decode(Node.self, from: data) else { return nil }
            self.root = root
            document = Document(path: "", root: root)
            conversion = KeyConversion(JSONDecoder())
        }
    }

    /// Returns the line of a value, 1-based. If the body does not contain the value, returns the line of the nearest
    /// enclosing value.
    func line(of path: BodyPath) -> Int? { find(path).line }

    /// Returns the body's spelling of a key that a model requests.
    func key(_ name: String, in object: BodyPath) -> String {
        find(object).node.flatMap { entry(name, of: $0, at: object) }?.key ?? name
    }

    /// Returns the object's key that is most similar to a missing key, in the model's spelling.
    func nearest(to missing: String, in object: BodyPath) -> String? {
        let names = find(object).node?.entries?.map { conversion.convert($0.key, in: object) } ?? []
        return NearestName.find(missing, in: names.filter { $0 != missing })
    }

    /// Returns the value at a path, and its line. If the body does not contain the value, the result is the line of the
    /// nearest enclosing value.
    private func find(_ path: BodyPath) -> (node: Node?, line: Int?) {
        var (node, line) = (root, document.line(of: root.offset))
        for (index, part) in path.parts.enumerated() {
            let above = BodyPath(Array(path.parts[..<index]))
            guard let (next, offset) = child(part, of: node, at: above) else { return (nil, line) }
            (node, line) = (next, document.line(of: offset) ?? line)
        }
        return (node, line)
    }

    private func child(_ part: BodyPath.Part, of node: Node, at path: BodyPath) -> (Node, Int?)? {
        switch part {
        case .key(let key): return entry(key, of: node, at: path).map { ($0.node, $0.keyOffset) }
        case .index(let index):
            guard let elements = node.elements, elements.indices.contains(index) else { return nil }
            return (elements[index], elements[index].offset)
        case .each:
            return node.elements?.first.map { ($0, $0.offset) }
        }
    }

    /// Finds the entry for a key that a model requests. The unconverted key is tried first, because `JSONDecoder` does
    /// not convert the keys of dictionaries.
    private func entry(_ key: String, of node: Node, at path: BodyPath) -> Node.Entry? {
        node.entries?.first { $0.key == key } ?? node.entries?.first { conversion.convert($0.key, in: path) == key }
    }
}
