import FingerpostFiles
import Foundation

/// Explains why a body did not decode: what was expected, where, and what stands there.
struct DecodingFailure {
    let reason: String
    /// The coding path, with the line when the body has several.
    let place: String?
    /// The JSON at the place, or around it, credentials left out.
    let fragment: String?

    /// - Parameter isJSON: false where another decoder than JSON's read the body.
    init(_ error: DecodingError, in data: Data, isJSON: Bool) {
        guard isJSON else {
            let place = CodingPath.text(error.path)
            self.init(reason: data.isEmpty ? "it is empty" : error.reason, place: place.isEmpty ? nil : place)
            return
        }
        let document: Document
        do throws(FileProblem) {
            document = try Document(json: data, path: "body")
        } catch {
            // Not JSON at all: the reader knows the place that Foundation's error leaves out.
            let position = error.line.map { " (line \($0), column \(error.column ?? 1))" } ?? ""
            self.init(reason: data.isEmpty ? "it is empty" : "it is not JSON: \(error.message)\(position)")
            return
        }
        let node = document.root.descendant(error.path)
        let text = CodingPath.text(error.path)
        let line = node.flatMap { document.line(of: $0.offset) }.map { "line \($0)" }
        self.init(
            reason: error.reason,
            place: text.isEmpty ? line : text + (line.map { " (\($0))" } ?? ""),
            fragment: node.map { JSONFragment.text(of: $0) })
    }

    private init(reason: String, place: String? = nil, fragment: String? = nil) {
        self.reason = reason
        self.place = place
        self.fragment = fragment
    }
}

extension DecodingError {
    /// What was expected and not found, without the place.
    var reason: String {
        switch self {
        case .keyNotFound(let key, _): "the key \"\(key.stringValue)\" is missing"
        case .valueNotFound(let type, _): "null stands where \(type) is expected"
        case .typeMismatch(let type, _): "\(type) is expected"
        case .dataCorrupted(let context): context.debugDescription
        @unknown default: "\(self)"
        }
    }

    /// Where it happened. A missing key is not part of it: the object that lacks it is.
    var path: [any CodingKey] {
        switch self {
        case .keyNotFound(_, let context), .valueNotFound(_, let context), .typeMismatch(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }
}

extension Node {
    /// The value at a coding path, nil where the path leads nowhere.
    func descendant(_ path: [any CodingKey]) -> Node? {
        path.reduce(Optional(self)) { node, key in
            if let index = key.intValue, case .array(let elements)? = node?.value {
                return elements.indices.contains(index) ? elements[index] : nil
            }
            return node?[key.stringValue]
        }
    }
}
