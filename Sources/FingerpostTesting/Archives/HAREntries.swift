import Fingerpost
import FingerpostFiles
import Foundation

/// The entries of one call in an HTTP Archive, without secrets.
struct HAREntries {
    private let call: LoggedCall
    private let started: Date
    private let requests: ArraySlice<URLRequest>
    private let responses: [(headers: HTTPHeaders, body: Data)]
    private let maximumBodySize: Int
    private let secrets: SentSecrets
    private let redactor: SecretRedactor

    /// - Parameter call: a call that has just ended.
    init(_ call: LoggedCall, maximumBodySize: Int) {
        started = call.record.date.addingTimeInterval(-((call.duration ?? .zero) / .seconds(1)))
        let evidence = call.record.evidence
        secrets = SentSecrets(call.record)
        redactor = SecretRedactor(call.record.environment, credentials: secrets.credentials)
        self.call = call
        requests = evidence.requests.suffix(call.attempts)
        responses = evidence.responses
        self.maximumBodySize = maximumBodySize
    }

    /// One entry for each attempt, in order. A call that was not sent has none.
    var all: [[String: any Sendable]] {
        var (entries, responses) = ([[String: any Sendable]](), responses[...])
        var elapsed = Duration.zero
        let history = call.history
        for (index, (request, attempt)) in zip(requests, history).enumerated() {
            elapsed += attempt.wait
            // An attempt without a status has no response.
            let response = attempt.status == nil ? nil : responses.popFirst()
            guard let request = self.request(request) else { continue }
            // What went to the app is of the last response.
            let isLast = response != nil && index == history.count - 1
            let passed = isLast ? call.responseSize : nil
            let time = max(0, attempt.duration / .milliseconds(1))
            entries.append([
                "startedDateTime": ISO8601Text.text(of: started.addingTimeInterval(elapsed / .seconds(1))),
                "time": time, "request": request, "response": self.response(response, of: attempt, passed: passed),
                "cache": [String: String](),
                "timings": ["send": 0.0, "wait": time, "receive": 0.0],
                "comment": call.route,
                // Browsers have a filter for requests of code.
                "_resourceType": "fetch",
            ])
            elapsed += attempt.duration
        }
        return entries
    }

    private func request(_ request: URLRequest) -> [String: any Sendable]? {
        // Nothing is left of a URL that is invalid without its secrets.
        guard let shown = request.redacted(redactor.withoutCredentials), let url = shown.url?.absoluteString else {
            return nil
        }
        let fields = (shown.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        var entry: [String: any Sendable] = [
            "method": shown.httpMethod ?? "GET", "url": url, "httpVersion": "HTTP/1.1",
            "cookies": [[String: String]](),
            "headers": fields.map { ["name": $0.key, "value": $0.value] }, "queryString": query(of: url),
            "headersSize": -1, "bodySize": request.httpBody?.count ?? (request.httpBodyStream == nil ? 0 : -1),
        ]
        let type = request.value(forHTTPHeaderField: HTTPHeaders.Name.contentType.rawValue)
        if let body = request.httpBody, !body.isEmpty {
            var data: [String: any Sendable] = ["mimeType": type ?? ""]
            let isSearchable = BodyCredentials(request).found.allSatisfy {
                $0.utf8.count >= SecretRedactor.minimumLength
            }
            data.merge(
                isSearchable
                    ? contents(body, type)
                    : ["comment": "left out: it contains a secret that is too short to search for"]
            ) { $1 }
            // The format has no mark for a request body in Base64.
            if data.removeValue(forKey: "encoding") != nil {
                data = ["mimeType": type ?? "", "comment": "left out: it is not text"]
            }
            data["text"] = data["text"] ?? ""
            entry["postData"] = data
        }
        return entry
    }

    private func query(of url: String) -> [[String: String]] {
        guard let query = url.cut(at: "?")?.after else { return [] }
        return query.parts(between: "&").map { item in
            let (name, value) = item.cut(at: "=") ?? (item, "")
            return [
                "name": name.removingPercentEncoding ?? String(name),
                "value": value.removingPercentEncoding ?? String(value),
            ]
        }
    }

    /// - Parameter passed: how many bytes of the body the app received.
    private func response(
        _ response: (headers: HTTPHeaders, body: Data)?, of attempt: Attempt, passed: Int64?
    ) -> [String: any Sendable] {
        let (headers, body) = response ?? (HTTPHeaders(), Data())
        let type = headers[.contentType]
        var content: [String: any Sendable] = ["size": body.count, "mimeType": type ?? ""]
        if !body.isEmpty { content.merge(contents(body, type)) { $1 } }
        if body.isEmpty, let size = passed, size > 0 {
            content["size"] = size
            content["comment"] =
                "left out: the body went to a file, or it was read as it arrived and is not text, did not come to its "
                + "end, or is larger than \(maximumBodySize) bytes"
        }
        // The size on the way is known only of a body that was not compressed and that is here.
        let isWhole = headers[.contentEncoding] == nil && !(body.isEmpty && (passed ?? 0) > 0)
        let location = headers[.location].map { redactor.withoutCredentials(Redaction.url($0)) }
        var entry: [String: any Sendable] = [
            // Without a response, browsers write the status 0, and show the text beside it.
            "status": attempt.status ?? 0, "statusText": attempt.error ?? "", "httpVersion": "HTTP/1.1",
            "cookies": [[String: String]](), "headers": headers.map(shown), "content": content,
            "redirectURL": location ?? "", "headersSize": -1, "bodySize": isWhole ? body.count : -1,
        ]
        if let error = attempt.error { entry["_error"] = error }
        return entry
    }

    private func shown(_ field: HTTPHeaders.Field) -> [String: String] {
        let isSecret = SensitiveName.isSensitive(field.name.rawValue)
        let value = isSecret ? SensitiveName.placeholder : redactor.withoutCredentials(field.value)
        return ["name": field.name.rawValue, "value": value]
    }

    /// A body as text, or in Base64 if it is not text, or else why it was left out.
    private func contents(_ body: Data, _ type: String?) -> [String: String] {
        if body.count > maximumBodySize {
            return ["comment": "left out: \(body.count) bytes are more than \(maximumBodySize)"]
        }
        if let reason = secrets.unsearched { return ["comment": "left out: \(reason)"] }
        do throws(Recording.Refusal) {
            let data = try Recording.content(body, type, of: call.route, redactor).data
            let text = String(decoding: data, as: UTF8.self)
            if text.utf8.elementsEqual(data) { return ["text": text] }
            return ["text": data.base64EncodedString(), "encoding": "base64"]
        } catch {
            return ["comment": "left out: \(error.reason)"]
        }
    }
}
