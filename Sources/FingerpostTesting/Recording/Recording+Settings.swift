import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension Recording {
    /// The values that a recording writes to the settings file.
    struct Settings {
        let mock: String
        /// The `for` entry in the settings: the request's method and a path template.
        let route: String
        /// The status; nil if the body file's name implies the status.
        var status: Int?
        var headers: [String: String] = [:]
        /// The other headers of the response, which are recorded if the existing settings have them.
        var others = HTTPHeaders()
        /// The body file's name; nil for the default name.
        var body: String?
        /// How the body arrived; nil if it was not read as it arrived.
        var pace: MockPace?
        let at: Date
        /// The environment's name.
        let from: String?
        /// The case or type that the route was created from.
        let by: String?
        let redactor: SecretRedactor

        /// Merges the recorded values into the existing settings. Existing settings that a recording does not contain,
        /// such as delays and fills, are kept. Secrets in the existing settings are redacted too.
        ///
        /// - Returns: the merged settings and the paths of the redacted values.
        /// - Throws: `Refusal` if a key contains a secret.
        func merged(into existing: [String: Any]) throws(Refusal) -> (settings: [String: Any], redacted: [JSONPointer])
        {
            var (settings, places) = (existing, [JSONPointer]())
            // The recorder adds its own values, such as the date, only after redaction. Otherwise a secret PIN that
            // equals the year would be redacted in the date.
            var recorded = settings["recorded"] as? [String: Any] ?? [:]
            for key in ["at", "from", "by"] { recorded[key] = nil }
            settings["recorded"] = recorded
            for key in ["for", "status", "body"] { settings[key] = nil }
            let headers = headers(besides: existing["headers"])
            settings["headers"] = headers.isEmpty ? nil : headers
            do throws(SecretKey) { settings = try redacted(settings, at: [], &places) } catch {
                throw Refusal(route: route, reason: error.reason(in: "the settings of \"\(mock)\""))
            }
            settings["for"] = route
            settings["status"] = status
            settings["body"] = body
            if let pace {
                var keys: [String: Any] = ["each": pace.unit?.name ?? "line"]
                if pace.delay > 0 { keys["delay"] = pace.delay }
                settings["pace"] = keys
            }
            recorded = settings["recorded"] as? [String: Any] ?? [:]
            recorded["at"] = ISO8601Text.text(of: Date(timeIntervalSince1970: at.timeIntervalSince1970.rounded(.down)))
            recorded["from"] = from
            recorded["by"] = by
            settings["recorded"] = recorded
            return (settings, places)
        }

        /// The headers that are recorded: those of every response, and those that people have added to the settings.
        private func headers(besides existing: Any?) -> [String: String] {
            let added = (existing as? [String: Any] ?? [:]).keys.filter { name in
                !SensitiveName.isSensitive(name)
                    && !headers.keys.contains { HTTPHeaders.Name(rawValue: $0) == HTTPHeaders.Name(rawValue: name) }
            }
            return added.reduce(into: headers) { $0[$1] = others[HTTPHeaders.Name(rawValue: $1)] }
        }

        private func redacted(
            _ object: [String: Any], at path: [String], _ places: inout [JSONPointer]
        ) throws(SecretKey) -> [String: Any] {
            var redacted = object
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                try redactor.check(key, of: path)
                redacted[key] = try self.redacted(value, at: path + [key], &places)
            }
            return redacted
        }

        private func redacted(
            _ value: Any, at path: [String], _ places: inout [JSONPointer]
        ) throws(SecretKey) -> Any {
            switch value {
            case let text as String:
                let redacted = redactor.redact(Self.urlHeaders.contains(path) ? Self.withoutCredentials(text) : text)
                if redacted != text { places.append(JSONPointer(parts: path)) }
                return redacted
            case let list as [Any]:
                var redacted: [Any] = []
                for (index, element) in list.enumerated() {
                    redacted.append(try self.redacted(element, at: path + ["\(index)"], &places))
                }
                return redacted
            case let object as [String: Any]: return try redacted(object, at: path, &places)
            default: return value
            }
        }

        private static let urlHeaders = [HTTPHeaders.Name.location, .link].map { ["headers", $0.rawValue] }

        /// Redacts credentials in the query of a URL in a `Location` or `Link` header. In `Link` headers, the URLs are
        /// in angle brackets.
        private static func withoutCredentials(_ header: String) -> String {
            header.parts(between: "<").map { part in
                let url = part.prefix(before: ">")
                return Redaction.url(String(url)) + part[url.endIndex...]
            }.joined(separator: "<")
        }
    }
}
