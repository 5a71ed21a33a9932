import FingerpostFiles
import Foundation

@testable import Fingerpost
@testable import FingerpostMocks
@testable import FingerpostStreams
@testable import FingerpostTesting
@testable import FingerpostTransfers

// What servers send, and what is searched for credentials.
extension FuzzTarget {
    static let responses: [FuzzTarget] = [
        location, serverMessage, decodingFailure, redactedURL, cookies, redactor, bodyCredentials, contentRange,
        retryAfter, events,
    ]

    private static let retryAfter = FuzzTarget.text(
        "Retry-After",
        ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "120"],
        tokens: ["Feb", "29", "9999", ":", "-", " GMT", "18446744073709551616"]
    ) { text in
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for headers in [[.retryAfter: text, .date: text], [.retryAfter: text]] as [HTTPHeaders] {
            guard let wait = RetryAfter.wait(in: headers, now: now) else { continue }
            try FuzzFinding.check(wait > .zero && wait <= .seconds(1_000_000_000), "\(wait)")
        }
    }

    private static let events = FuzzTarget(
        "server-sent events",
        [
            "id: 1\nevent: add\ndata: a\ndata: b\n\n: comment\r\n\r\ndata\r\rretry: 10\n\nid\ndata:\n\ndata: lost",
            "data: 🦉\n\n", "\r\n\n\r",
        ], tokens: ["data: ", "data", "event:", "id: ", "retry: 1", "\n", "\r", "\r\n", "\n\n", ":", "\0"]
    ) { data in
        let whole = Self.events(in: [[UInt8](data)])
        try FuzzFinding.check(whole == Self.events(in: data.map { [$0] }), "other events byte by byte")
        let half = data.count / 2
        let halves = [[UInt8](data.prefix(half)), [], [UInt8](data.dropFirst(half))]
        try FuzzFinding.check(whole == Self.events(in: halves), "other events in two pieces")
        // An audit reads events without the product for streams.
        let audited = StreamedElements(data, contentType: "text/event-stream")?.elements.map(\.data)
        let read = Self.events(in: [LineParser.withoutMark([UInt8](data))]).map { Data($0.data.utf8) }
        let values = read.filter { !$0.isBlank && $0 != Data("[DONE]".utf8) }
        try FuzzFinding.check(audited == values, "an audit reads \(audited ?? [])")
        // What is read means what is written, except that a NUL or a CR cannot be written in a name.
        for event in whole {
            guard let text = event.text else { continue }
            let again = Self.events(in: [[UInt8](text.utf8)])
            try FuzzFinding.check(again == [event], "\(event) is written as \(again)")
        }
    }

    private static func events(in pieces: [[UInt8]]) -> [ServerSentEvent] {
        var (lines, parser, events) = (LineParser(), EventParser(), [ServerSentEvent]())
        for piece in pieces {
            lines.append(piece)
            while let line = lines.next() { if let event = parser.read(line) { events.append(event) } }
        }
        if let line = lines.end(), let event = parser.read(line) { events.append(event) }
        return events
    }

    private static let location = FuzzTarget.text(
        "Location",
        ["/a", "https://h.example/b?c#d", "//other.example/x", "../y", "?q", "http://[::1]/", "file:///etc"],
        tokens: ["//", "http:", "@", "#", "?", "\\", "..", "[", "%", ":"]
    ) { text in
        let request = URLRequest(url: URL(string: "https://h.example/a/b")!)
        let response = Response<Data>(status: 302, headers: [.location: text], data: Data(), request: request)
        do {
            guard let url = try Redirects.next(after: response)?.url else { return }
            try FuzzFinding.check(url.scheme?.lowercased() == "https", "\(url)")
            try FuzzFinding.check(url.host?.isEmpty == false && url.fragment == nil, "\(url)")
        } catch is APIError {}
    }

    private static let contentRange = FuzzTarget.text(
        "Content-Range", ["bytes 0-9/10", "bytes 5-9/*", "bytes */10", "Bytes 9007199254740993-9007199254740994/*"],
        tokens: ["bytes", " ", "-", "/", "*", "9223372036854775807", "0"]
    ) { text in
        guard let range = ContentRange(text) else { throw URLError(.cannotParseResponse) }
        // What is read means what is written.
        let written = range.bytes.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        let again = ContentRange("bytes \(written)/\(range.total.map { "\($0)" } ?? "*")")
        try FuzzFinding.check(again == range, "\(range)")
        try FuzzFinding.check(range.bytes.map { $0.lowerBound >= 0 } ?? (range.total != nil), "\(range)")
        if let bytes = range.bytes, let total = range.total {
            try FuzzFinding.check(bytes.upperBound < total, "\(range)")
        }
    }

    private static let serverMessage = FuzzTarget(
        "server message", [#"{"message": "no"}"#, #"{"errors": [{"title": "a"}]}"#, #"{"error": {"detail": "x"}}"#],
        tokens: ["\"message\"", "\"errors\"", "\"error\"", "[", "{"]
    ) { data in
        for type in [nil, "application/json", "text/plain; charset=utf-8"] {
            _ = ServerMessage.find(in: data, type: type)
        }
    }

    private struct Model: Decodable {
        var id: Int
        var list: [[String: Double]]
        var next: [Model]?
    }

    private static let decodingFailure = FuzzTarget(
        "body that does not decode", [#"{"id": 1, "list": [{"a": 2.5}], "next": [{"id": 2, "list": []}]}"#],
        tokens: ["\"id\"", "\"list\"", "null", "\"x\"", "[]", "{}"]
    ) { data in
        do { _ = try JSONDecoder.standard.decode(Model.self, from: data) } catch let error as DecodingError {
            let failure = DecodingFailure(error, in: data, nil, by: .standard, secrets: CallSecrets())
            try FuzzFinding.check(!failure.reason.isEmpty, "no reason")
            try FuzzFinding.check(
                (failure.fragment?.utf8.count ?? 0) <= 4_096, "a fragment of \(failure.fragment ?? "")")
        }
    }

    private static let redactedURL = FuzzTarget.text(
        "URL in an error", ["https://user:pass@h.example/a;token=x?api_key=y&page=2#z"],
        tokens: ["@", "?", "&", "=", "token", "password", "://", "#", ";"]
    ) { text in
        let kept = text.unicodeScalars.filter { !"@#/?&;=".unicodeScalars.contains($0) }
        let safe = String(String.UnicodeScalarView(kept))
        for url in [
            "https://user:s3cr3t\(safe)@h.example/\(text)", "https://h.example/a?token=s3cr3t\(safe)&x=\(text)",
        ] {
            try FuzzFinding.check(!Redaction.url(url).contains("s3cr3t"), Redaction.url(url))
        }
        let inner = "https://a.example/\(text)?token=s3cr3t".addingPercentEncoding(
            withAllowedCharacters: .alphanumerics)
        let outer = "https://h.example/?to=\(inner ?? "")"
        for shown in [Redaction.url(outer), SecretRedactor().hidden(outer)] {
            try FuzzFinding.check(!shown.contains("s3cr3t"), shown)
        }
        _ = Redaction.url(text)
    }

    private static let cookies = FuzzTarget.text(
        "Set-Cookie", ["a=b; Path=/; Expires=Wed, 09 Jun 2027 10:18:14 GMT, c=d", "session=s3cr3t0123"],
        tokens: [",", ", ", ";", "=", "  ", "Expires=Wed, "]
    ) { text in
        _ = Redaction.credentials(inHeader: text)
        _ = Redaction.credentials(of: [.setCookie: text])
        _ = NamedValues.hidden(in: text)
    }

    private static let redactor = FuzzTarget.text(
        "secret in text", ["s3cret-value|a s3cret-value b", "aaaaaaaaaaab|aaaaaaaaaaaaaaaab", "p@ss wörd/+?&=%|x"],
        tokens: ["|", "aaaa", "abab", "s3cret-value", "%", "\\"]
    ) { text in
        let parts = text.split(separator: "|", maxSplits: 1).map(String.init)
        guard let secret = parts.first, secret.utf8.count >= CallSecrets.unlikelyLength else { return }
        let redactor = SecretRedactor(secrets: [("key", secret)])
        let other = parts.count > 1 ? parts[1] : ""
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for form in [secret, Data(secret.utf8).base64EncodedString(), escaped] {
            let shown = redactor.redact("\(other) \(form) \(other)")
            // The placeholder may itself contain the secret.
            let rest = shown.replacing("<secret key>", with: "\u{1}")
            // Compare bytes: Foundation's search ignores NUL.
            let isFound = rest.firstRange(ofBytes: form) != nil
            try FuzzFinding.check(!isFound || "<secret key>".contains(secret), "\(form) in \(shown)")
        }
        for form in [secret, escaped] {
            let shown = CallSecrets(secrets: [("key", secret)]).hide("\(other) \(form) \(other)")
            let isFound = shown.replacing("<secret key>", with: "\u{1}").firstRange(ofBytes: form) != nil
            try FuzzFinding.check(!isFound || "<secret key>".contains(secret), "\(form) in \(shown)")
        }
    }

    private static let bodyCredentials = FuzzTarget.text(
        "credentials in a body",
        [
            #"{"password": "s3cret", "a": [{"pin": 1234}]}"#, "user=a&password=b%20c+d",
            "--cut\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--cut--\r\n",
        ], tokens: ["password", "=", "&", "--cut", "\r\n\r\n", "name=\"password\"", "%"]
    ) { text in
        var request = URLRequest(url: URL(string: "https://h.example/?token=x")!)
        request.httpBody = Data(text.utf8)
        for type in ["application/json", "multipart/form-data; boundary=cut", text] {
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            _ = (Redaction.credentials(of: request), CallCredentials.issued(in: Data(text.utf8), type))
        }
    }

}
