import Fingerpost
import FingerpostFiles
import Foundation

/// The responses that a ``RevalidatingTransport`` has cached, up to a size.
struct KeptAnswers: Sendable {
    /// What tells requests apart.
    struct Key: Hashable, Sendable {
        private let url: URL
        /// Of the headers, with the credentials among them, only a hash is cached.
        private let headers: Int

        /// Nil for a request that is sent as it is: one that is not a GET or has a body, that has a condition or a
        /// range of its own, or whose response must not be cached (RFC 9111 section 5.2.1.5).
        init?(_ request: URLRequest, ignoring ignored: Set<HTTPHeaders.Name>) {
            let fields = request.fields
            guard let url = request.url, request.httpMethod ?? "GET" == "GET", request.httpBody == nil,
                request.httpBodyStream == nil, !fields.contains(where: { Self.own.contains($0.name) }),
                !fields.forbidKeeping
            else { return nil }
            self.url = url
            // A credential tells accounts apart, whatever the name of its header is.
            let credentials = Set(fields.filter(\.isSensitive).map(\.name))
            headers = fields.hash { !ignored.contains($0) || credentials.contains($0) }
        }

        private static let own: Set<HTTPHeaders.Name> = [
            .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range,
        ]
    }

    /// A response with the status 200.
    struct Answer: Sendable {
        let headers: HTTPHeaders
        let data: Data
        /// A hash of the values that the request had for the headers in `Vary`.
        private let varying: Int
        /// What this response takes, in bytes: a bound for all that is cached.
        // 32-bit: it counts what is in memory
        fileprivate let size: Int
        fileprivate var use = 0

        init(_ headers: HTTPHeaders, _ data: Data, to request: URLRequest) {
            (self.headers, self.data, varying) = (headers, data, request.hash(of: headers.varying))
            size = headers.reduce(data.count + (request.url?.absoluteString.utf8.count ?? 0) + 500) {
                $0 + $1.name.rawValue.utf8.count + $1.value.utf8.count + 50
            }
        }

        fileprivate func answers(_ request: URLRequest) -> Bool { request.hash(of: headers.varying) == varying }

        /// The request that asks whether this response is still the same.
        func condition(_ request: URLRequest) -> URLRequest {
            var request = request
            request.setValue(headers[.etag], forHTTPHeaderField: HTTPHeaders.Name.ifNoneMatch.rawValue)
            request.setValue(headers[.lastModified], forHTTPHeaderField: HTTPHeaders.Name.ifModifiedSince.rawValue)
            return request
        }

        /// This response with the headers of a 304 (RFC 9111 section 3.2); nil if the 304 is about another response,
        /// which has another validator (section 4.3.4) or depends on more headers of the request.
        func updated(by new: HTTPHeaders, to request: URLRequest) -> Answer? {
            let validator = [HTTPHeaders.Name.etag, .lastModified].first(where: new.contains)
            guard let varying = new.varying, Set(varying).isSubset(of: headers.varying ?? []),
                validator.map({ Self.isSame(headers[$0], new[$0]) }) ?? true
            else { return nil }
            let changed = HTTPHeaders(new.filter { !Self.fixed.contains($0.name) })
            return Answer(headers.merging(changed), data, to: request)
        }

        /// Compares weakly (RFC 9110 section 8.8.3.2): servers that compress a body make its tag weak, and may send the
        /// strong one with a 304.
        private static func isSame(_ old: String?, _ new: String?) -> Bool {
            guard let old, let new else { return false }
            return opaque(old).isSame(as: opaque(new))
        }

        private static func opaque(_ tag: String) -> Substring {
            Substring(tag.utf8.dropFirst(tag.begins(with: "W/") ? 2 : 0))
        }

        /// The headers that describe the bytes of the cached body, and the request that it answered.
        private static let fixed: Set<HTTPHeaders.Name> = [
            .contentLength, .contentEncoding, .contentType, .contentRange, .transferEncoding, .vary,
        ]
    }

    private let maximumSize: Int
    private var answers = [Key: Answer]()
    // 32-bit: it counts what is in memory
    private var size = 0
    private var uses = 0

    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// The response that is cached for a request.
    func answer(to request: URLRequest, _ key: Key) -> Answer? {
        answers[key].flatMap { $0.answers(request) ? $0 : nil }
    }

    /// Keeps a response, new or confirmed, in place of the one before it. If there is too much, drops what was not used
    /// for longest.
    mutating func keep(_ answer: Answer?, _ key: Key) {
        size -= answers.removeValue(forKey: key)?.size ?? 0
        guard var answer, answer.size <= maximumSize else { return }
        uses += 1
        answer.use = uses
        answers[key] = answer
        size += answer.size
        guard size > maximumSize else { return }
        // A quarter more than needed, so that not every call has to search. The new response stays.
        for (key, answer) in answers.ordered(by: { $0.value.use < $1.value.use }).dropLast() {
            guard size > maximumSize - maximumSize / 4 else { return }
            answers[key] = nil
            size -= answer.size
        }
    }
}

extension HTTPHeaders {
    /// The headers of the request that a response depends on (RFC 9110 section 12.5.5); nil if it depends on more than
    /// them, as `Vary: *` says.
    var varying: [Name]? {
        let names = values(for: .vary).flatMap { $0.parts(between: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if names.contains(where: { $0.contains(bytesOf: "*") }) { return nil }
        return names.filter { !$0.isEmpty }.map { Name(rawValue: String($0)) }
    }

    /// The directives of `Cache-Control`, in lower case.
    var directives: [String] {
        values(for: .cacheControl).flatMap { $0.parts(between: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    /// True for the directive `no-store`, also with an argument, which it does not have.
    var forbidKeeping: Bool {
        directives.contains { $0.prefix(before: "= \t") == "no-store" }
    }

    /// A hash of the fields with some names, with the random seed of the process.
    fileprivate func hash(where isIncluded: (Name) -> Bool) -> Int {
        // Texts that look alike are different values.
        var values = [Name: [UInt8]]()
        for field in self where isIncluded(field.name) { values[field.name] = Array(field.value.utf8) }
        return values.hashValue
    }
}

extension URLRequest {
    fileprivate var fields: HTTPHeaders {
        HTTPHeaders((allHTTPHeaderFields ?? [:]).map { HTTPHeaders.Field(.init(rawValue: $0), $1) })
    }

    /// A hash of the values that a response depends on.
    fileprivate func hash(of varying: [HTTPHeaders.Name]?) -> Int {
        guard let varying, !varying.isEmpty else { return 0 }
        return fields.hash { varying.contains($0) }
    }
}
