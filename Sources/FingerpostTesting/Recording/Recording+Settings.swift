import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension Recording {
    /// The values that a recording writes to the settings file.
    struct Settings {
        let mock: String
        /// The request's method and a path template.
        let template: String
        /// The recorded route.
        let route: Route
        /// The percent-encoded query of the request.
        let query: String
        /// The status; nil if the body file's name implies the status.
        var status: Int?
        var headers: [String: String] = [:]
        /// All headers of the response. A header is recorded from this list if the existing settings contain the
        /// header.
        var others = HTTPHeaders()
        /// The body file's name; nil for the default name.
        var body: String?
        /// The pace at which the body arrived. Nil if the client did not read the body as a stream.
        var pace: MockPace?
        let at: Date
        /// The environment's name.
        let from: String?
        /// The enum case or the type that the route was created from.
        let by: String?
        let redactor: SecretRedactor

        /// The error for a response that must not be recorded.
        func refusal(_ reason: String) -> Refusal { Refusal(route: template, reason: redactor.redact(reason)) }

        /// Merges the recorded values into the existing settings. The result also contains the existing settings that
        /// no recording contains, such as delays and fills. Secrets in the existing settings are redacted too.
        ///
        /// - Returns: the merged settings and the paths of the redacted values.
        /// - Throws: `Refusal` if a key contains a secret.
        func merged(into existing: Node) throws(Refusal) -> (settings: Node, redacted: [String]) {
            var (settings, places) = (existing, [String]())
            // The recorder adds its own values, such as the date, only after redaction. Otherwise a secret PIN that
            // equals the year would be redacted in the date.
            var recorded = settings["recorded"] ?? .object
            for key in ["at", "from", "by"] { recorded.set(key, to: nil) }
            settings.set("recorded", to: recorded)
            for key in ["for", "status", "body"] { settings.set(key, to: nil) }
            let headers = headers(besides: existing["headers"])
            settings.set("headers", to: headers.isEmpty ? nil : Node(texts: headers))
            do throws(FixedSecret) { try redact(&settings, &places) } catch {
                throw Refusal(route: template, reason: error.reason(in: "the settings of \"\(mock)\""))
            }
            settings.set("for", to: request(besides: existing))
            settings.set("status", to: status.map { Node(.integer(Int64($0))) })
            settings.set("body", to: body.map { Node(.string($0)) })
            if let pace {
                var keys = Node(texts: ["each": pace.unit?.name ?? "line"])
                if pace.interval > .zero { keys.set("delay", to: Node(.real(pace.interval / .seconds(1)))) }
                settings.set("pace", to: keys)
            }
            let second = Date(timeIntervalSince1970: at.timeIntervalSince1970.rounded(.down))
            recorded = settings["recorded"] ?? .object
            recorded.set("at", to: Node(.string(ISO8601Text.text(of: second))))
            recorded.set("from", to: from.map { Node(.string($0)) })
            recorded.set("by", to: by.map { Node(.string($0)) })
            settings.set("recorded", to: recorded)
            return (settings, places)
        }

        /// Returns the `for` entry, which is the template. A one-time address has no `for` entry. If the existing
        /// settings contain `recorded`, their `for` entry is kept, because people edit and remove this entry.
        private func request(besides existing: Node) -> Node? {
            let found = existing["for"]
            let text = found?.string ?? ""
            let mayStay = redactor.hidden(redactor.redact(text)) == text
            guard existing["recorded"] != nil, mayStay else {
                return route.isOfOneTime ? (mayStay ? found : nil) : Node(.string(template))
            }
            guard let page = template.cut(at: "?")?.after, let pattern = try? MockRoute(text) else { return found }
            // A page can have other query items in each recording, and its address can be on another server.
            if !pattern.matches(path: route.path, isLinked: route.pageItems != nil) { return Node(.string(template)) }
            return pattern.matches(query: query) ? found : Node(.string("\(text.prefix(before: "?"))?\(page)"))
        }

        /// Returns the headers to record: the headers that are recorded for every response, and the headers that people
        /// have added to the settings.
        private func headers(besides existing: Node?) -> [String: String] {
            let added = (existing?.entries ?? []).map(\.key).filter { name in
                !SensitiveName.isHeader(name)
                    && !headers.keys.contains { HTTPHeaders.Name(rawValue: $0) == HTTPHeaders.Name(rawValue: name) }
            }
            return added.reduce(into: headers) {
                $0[$1] = others[HTTPHeaders.Name(rawValue: $1)].map(Recording.asText)
            }
        }

        private func redact(_ settings: inout Node, _ places: inout [String]) throws(FixedSecret) {
            try settings.update { node, path throws(FixedSecret) in
                if let entries = node.entries {
                    // The redacted values are reported in the order of their keys.
                    let sorted = entries.sorted { $0.key < $1.key }
                    for entry in sorted { try redactor.check(entry.key, of: path) }
                    node.value = .dictionary(sorted)
                } else if let text = node.string {
                    let isURL = Self.urlHeaders.contains(path)
                    let isHeader = path.first == "headers"
                    let redacted =
                        isURL ? withoutCredentials(text) : isHeader ? redactor.hidden(text) : redactor.redact(text)
                    if redacted != text { places.append(path.pointer) }
                    node.value = .string(redacted)
                }
            }
        }

        private static let urlHeaders = [HTTPHeaders.Name.location, .link].map { ["headers", $0.rawValue] }

        /// Redacts credentials in URL queries of a `Location` or `Link` header. In a `Link` header, URLs are in angle
        /// brackets.
        private func withoutCredentials(_ header: String) -> String {
            header.parts(between: "<").map { part in
                let url = part.prefix(before: ">")
                return redactor.hidden(address: String(url)) + redactor.hidden(String(part[url.endIndex...]))
            }.joined(separator: "<")
        }
    }
}

extension Route {
    /// True for an enum case with an absolute URL, such as the address of an upload session, a job or a signed file. A
    /// server creates such an address for one use, so the next call of the same enum case has another address.
    var isOfOneTime: Bool { origin != nil && path.isAbsolute && pageItems == nil }
}

extension Node {
    /// An object without keys.
    static var object: Node { Node(.dictionary([])) }

    /// Sets the value of a key. Nil removes the key. If this node is not an object, it becomes an object first.
    mutating func set(_ key: String, to node: Node?) {
        let others = (entries ?? []).filter { !$0.key.isSame(as: key) }
        value = .dictionary(others + [node].compactMap { $0.map { Entry(key: key, node: $0) } })
    }

    /// An object with the keys and texts of a dictionary.
    fileprivate init(texts: [String: String]) {
        self.init(.dictionary(texts.map { Entry(key: $0.key, node: Node(.string($0.value))) }))
    }
}
