import FingerpostFiles
import Foundation

/// The types in which an environment's texts are read as URLs: `URL`, and optionals, lists and dictionaries of it.
///
/// `JSONDecoder` alone would accept `127.0.0.1:8080/api` and `two words` as URLs, because Foundation escapes them or
/// takes them for relative URLs.
protocol HoldsURLs {
    /// The first text that is read as a URL but is none; nil if there is none.
    static func misfit(in node: Node) -> String?
}

extension URL: HoldsURLs {
    static func misfit(in node: Node) -> String? {
        node.string.flatMap { URLText.absolute($0) == nil ? $0 : nil }
    }
}

extension Optional: HoldsURLs where Wrapped: HoldsURLs {
    static func misfit(in node: Node) -> String? { Wrapped.misfit(in: node) }
}

extension Secret: HoldsURLs where Value: HoldsURLs {
    static func misfit(in node: Node) -> String? { Value.misfit(in: node) }
}

extension Array: HoldsURLs where Element: HoldsURLs {
    static func misfit(in node: Node) -> String? {
        guard case .array(let elements) = node.value else { return nil }
        return elements.lazy.compactMap(Element.misfit).first
    }
}

extension Set: HoldsURLs where Element: HoldsURLs {
    static func misfit(in node: Node) -> String? { [Element].misfit(in: node) }
}

extension Dictionary: HoldsURLs where Value: HoldsURLs {
    static func misfit(in node: Node) -> String? {
        node.entries?.lazy.compactMap { Value.misfit(in: $0.node) }.first
    }
}
