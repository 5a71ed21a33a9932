import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Ends loops over the pages of a list that one mock answers.
enum LastPage {
    /// A `Link` header (RFC 8288) without a link to the next page that leads to the request itself. A mock gives this
    /// link to every page, so that it would lead from the last page to the same page for ever.
    ///
    /// - Returns: nil if no link is left.
    static func link(_ value: String, at url: URL) -> String? {
        let links = value.parts(between: "<").dropFirst()
        let kept = links.filter { link in
            guard let (target, parameters) = link.cut(at: ">") else { return true }
            return !isNext(parameters) || !isSame(URL(string: String(target), relativeTo: url), url)
        }
        if kept.count == links.count { return value }
        let separators = CharacterSet(charactersIn: ", ")
        return kept.isEmpty
            ? nil : kept.map { "<" + $0.trimmingCharacters(in: separators) }.joined(separator: ", ")
    }

    private static func isNext(_ parameters: Substring) -> Bool {
        let ignored = CharacterSet(charactersIn: "\", ")
        return parameters.parts(between: ";").contains { parameter in
            guard let (name, value) = parameter.cut(at: "="),
                name.trimmingCharacters(in: ignored).lowercased() == "rel"
            else { return false }
            return value.trimmingCharacters(in: ignored).lowercased().words(between: " ").contains {
                $0.utf8.elementsEqual("next".utf8)
            }
        }
    }

    /// True for two URLs whose query items have at most another order.
    private static func isSame(_ target: URL?, _ url: URL) -> Bool {
        guard let target = target?.absoluteURL else { return false }
        let items = [target, url].map { Set($0.query(percentEncoded: true)?.parts(between: "&") ?? []) }
        return Origin(target) == Origin(url) && target.path(percentEncoded: true) == url.path(percentEncoded: true)
            && items[0] == items[1]
    }
}
