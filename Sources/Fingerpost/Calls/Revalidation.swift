import FingerpostFiles
import Foundation

/// How a client asks whether an answer that it has kept is still the same.
///
/// ```swift
/// configuration.revalidation = .memory(maximumSize: 16 << 20)
/// ```
///
/// A successful response to a GET that has an `ETag` or `Last-Modified` is kept in memory. The next call asks with
/// `If-None-Match` or `If-Modified-Since` (RFC 9110 section 13.1); if the server answers 304, the call has the kept
/// body, and ``Response/source`` is ``ResponseSource/revalidated``. The client never answers without asking: for that,
/// give ``URLSessionTransport`` a session with a `URLCache`.
///
/// A body belongs to its URL, to the credentials that it was asked with, and to the headers that the response names in
/// `Vary`. Not kept are responses with `Cache-Control: no-store` or `Vary: *`, responses after a redirect, and what a
/// download or a stream receives. Calls that set a condition or a range of their own, and routes with
/// ``Route/revalidates(_:)`` false, are sent as they are. Of one address, at most 32 bodies are kept. Each client has a
/// store of its own, also one that ``APIClient/with(_:)`` returned, and so has each scope.
///
/// A ``Transport`` of your own, and a session that stores cookies or credentials or answers challenges, can add
/// credentials that the client does not see. With them, only answers with `Cache-Control: public` are kept (RFC 9111
/// section 5.2.2.9), unless they vary by `Cookie`, `Authorization` or another header of a credential. The session of
/// ``URLSessionTransport/standardConfiguration`` adds none: with it, set credentials in the client's
/// ``ClientConfiguration/authorization``.
public struct Revalidation: Hashable, Sendable {
    let maximumSize: Int

    /// Keeps bodies in memory.
    ///
    /// - Parameter maximumSize: the size of all bodies together, with their addresses and headers, in bytes. The bodies
    ///   that were not used for longest are dropped.
    public static func memory(maximumSize: Int) -> Revalidation { Revalidation(maximumSize: maximumSize) }
}

/// The responses that a client has kept: see ``Revalidation``.
final class RevalidationStore: Sendable {
    /// A kept response.
    struct Entry: Sendable {
        /// The values that the request had for the headers of the response's `Vary`.
        fileprivate let varying: [HTTPHeaders.Name: String]
        fileprivate let headers: HTTPHeaders
        fileprivate let status: Int
        fileprivate let data: Data
        /// What this entry takes, in bytes: a bound for all that is kept.
        // 32-bit: it counts what is in memory
        fileprivate let size: Int
        fileprivate var use = 0

        fileprivate init(_ response: Response<Data>, to request: URLRequest) {
            varying = Dictionary(
                (response.headers.varying ?? []).map { ($0, request.value(forHTTPHeaderField: $0.rawValue) ?? "") },
                uniquingKeysWith: { value, _ in value })
            (headers, status, data) = (response.headers, response.status, response.data)
            let fields = headers + varying.map { HTTPHeaders.Field($0, $1) }
            size = fields.reduce(data.count + (request.url?.absoluteString.utf8.count ?? 0) + 500) {
                $0 + $1.name.rawValue.utf8.count + $1.value.utf8.count + 50
            }
        }

        fileprivate func answers(_ request: URLRequest) -> Bool {
            varying.allSatisfy { request.value(forHTTPHeaderField: $0.rawValue) ?? "" == $1 }
        }

        /// The kept response, updated with the headers of the 304 (RFC 9111 section 3.2).
        func response(_ unchanged: Response<Data>) -> Response<Data> {
            let kept = headers.filter { Self.ofBody.contains($0.name) }
            var updated = headers.merging(unchanged.headers)
            for name in Self.ofBody { updated[name] = nil }
            updated.merge(HTTPHeaders(kept))
            return Response(
                status: status, headers: updated, data: data, request: unchanged.request, source: .revalidated)
        }

        /// The headers that describe the bytes of the kept body.
        private static let ofBody: [HTTPHeaders.Name] = [
            .contentLength, .contentEncoding, .contentType, .contentRange, .transferEncoding,
        ]
    }

    /// What tells requests apart. The credentials are not kept, only a hash with the random seed of the process.
    private struct Key: Hashable {
        let url: URL
        let credentials: Int
    }

    private struct State {
        var entries = [Key: [Entry]]()
        // 32-bit: it counts what is in memory
        var size = 0
        var uses = 0

        subscript(key: Key) -> [Entry] {
            get { entries[key] ?? [] }
            set { entries[key] = newValue.isEmpty ? nil : newValue }
        }
    }

    private let maximumSize: Int
    /// How many bodies of one address are kept, for other values of the headers in `Vary`.
    private static let maximumVariants = 32
    private let state = Locked(State())

    init(_ revalidation: Revalidation) {
        maximumSize = revalidation.maximumSize
    }

    /// Makes a request ask whether a kept response is still the same. Returns nil if none is kept.
    func condition(_ request: inout URLRequest, credentials: [HTTPHeaders.Name]) -> Entry? {
        guard let key = Self.key(of: request, credentials), !Self.hasCondition(request) else { return nil }
        let entry = state.withLock { state -> Entry? in
            guard let index = state[key].firstIndex(where: { $0.answers(request) }) else { return nil }
            state.uses += 1
            state[key][index].use = state.uses
            return state[key][index]
        }
        guard let entry else { return nil }
        if let tag = entry.headers["ETag"] { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        if let date = entry.headers[.lastModified] { request.setValue(date, forHTTPHeaderField: "If-Modified-Since") }
        return entry
    }

    /// Keeps a response, or drops the one that was kept before it.
    ///
    /// - Parameters:
    ///   - request: the request before its condition was added.
    ///   - addsCredentials: true if the transport may send credentials that are not in the request.
    func keep(
        _ response: Response<Data>, to request: URLRequest, credentials: [HTTPHeaders.Name], addsCredentials: Bool
    ) {
        guard response.isSuccess, let key = Self.key(of: request, credentials), !Self.hasCondition(request) else {
            return
        }
        let new = Entry(response, to: request)
        let isKept =
            Self.mayKeep(response, to: request) && new.size <= maximumSize
            && (!addsCredentials || Self.isPublic(response.headers, credentials))
        state.withLock { state in
            for entry in state[key] where entry.answers(request) { state.size -= entry.size }
            state[key].removeAll { $0.answers(request) }
            if isKept {
                state.uses += 1
                var entry = new
                entry.use = state.uses
                state[key].append(entry)
                state.size += new.size
                Self.dropVariant(of: key, in: &state)
            }
            Self.shrink(&state, to: maximumSize)
        }
    }

    private static func dropVariant(of key: Key, in state: inout State) {
        let entries = state[key]
        guard entries.count > maximumVariants,
            let index = entries.indices.min(by: { entries[$0].use < entries[$1].use })
        else { return }
        state.size -= entries[index].size
        state[key].remove(at: index)
    }

    /// Drops what was not used for longest: a quarter more than needed, so that not every call has to search.
    private static func shrink(_ state: inout State, to maximum: Int) {
        guard state.size > maximum else { return }
        let all = state.entries.flatMap { key, entries in entries.map { (key, $0) } }.ordered {
            $0.1.use < $1.1.use
        }
        for (key, entry) in all {
            guard state.size > maximum - maximum / 4 else { return }
            state[key].removeAll { $0.use == entry.use }
            state.size -= entry.size
        }
    }

    private static func key(of request: URLRequest, _ credentials: [HTTPHeaders.Name]) -> Key? {
        guard request.httpMethod ?? "GET" == "GET", request.httpBody == nil, request.httpBodyStream == nil,
            let url = request.url
        else { return nil }
        var values = [String: String]()
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            if SensitiveName.isSensitive(name) || credentials.contains(HTTPHeaders.Name(rawValue: name)) {
                values[name.lowercased()] = value
            }
        }
        return Key(url: url, credentials: values.hashValue)
    }

    /// True if the request has a condition or a range of its own, so that its response does not answer other requests.
    private static func hasCondition(_ request: URLRequest) -> Bool {
        ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"].contains {
            request.value(forHTTPHeaderField: $0) != nil
        }
    }

    private static func mayKeep(_ response: Response<Data>, to request: URLRequest) -> Bool {
        let asked = [request.value(forHTTPHeaderField: "Cache-Control")].compactMap(\.self)
        let directives = directives(asked + response.headers.values(for: .cacheControl))
        let validators = [response.headers["ETag"], response.headers[.lastModified]].compactMap(\.self)
        return !directives.contains { $0.isSame(as: "no-store") } && response.status == 200
            && response.request.url == request.url
            && !validators.isEmpty && validators.allSatisfy(HTTPSyntax.isFieldValue)
            && response.headers.varying != nil
    }

    /// True if a response is the same for all users, whatever credential the transport has added.
    private static func isPublic(_ headers: HTTPHeaders, _ credentials: [HTTPHeaders.Name]) -> Bool {
        let directives = directives(headers.values(for: .cacheControl))
        // Text between quotation marks is not a directive.
        return directives.contains { $0.isSame(as: "public") }
            && !directives.contains { $0.begins(with: "private") || $0.contains(bytesOf: "\"") }
            && headers.varying?.contains { $0.isSensitive || credentials.contains($0) } == false
    }

    private static func directives(_ values: [String]) -> [String] {
        values.flatMap { $0.parts(between: ",") }.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }
}
