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
/// A ``Transport`` of your own, and a session that stores cookies or credentials, can add credentials which the client
/// does not see. With them, an answer is not kept if it varies by `Cookie`, `Authorization` or another header of a
/// credential that the request does not have, and a response with `Set-Cookie` drops what is kept of its origin. If
/// your transport adds a credential to requests, its servers must name the header in `Vary`; otherwise set it in the
/// client's ``ClientConfiguration/authorization``, or turn revalidation off.
public struct Revalidation: Hashable, Sendable {
    let maximumSize: Int

    /// Keeps bodies in memory.
    ///
    /// - Parameter maximumSize: the size of all bodies together, in bytes. The bodies that were not used for longest
    ///   are dropped.
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
        fileprivate var use = 0

        fileprivate init(_ response: Response<Data>, to request: URLRequest) {
            varying = Dictionary(
                (response.headers.varying ?? []).map { ($0, request.value(forHTTPHeaderField: $0.rawValue) ?? "") },
                uniquingKeysWith: { value, _ in value })
            (headers, status, data) = (response.headers, response.status, response.data)
        }

        /// What this entry takes, in bytes: a bound for the headers and the body.
        fileprivate var size: Int { headers.reduce(data.count + 500) { $0 + $1.value.utf8.count + 50 } }

        fileprivate func answers(_ request: URLRequest) -> Bool {
            varying.allSatisfy { request.value(forHTTPHeaderField: $0.rawValue) ?? "" == $1 }
        }

        /// True if the response depends on a credential that the request did not have.
        fileprivate func dependsOnUnseen(_ credentials: [HTTPHeaders.Name]) -> Bool {
            varying.contains { name, value in value.isEmpty && (name.isSensitive || credentials.contains(name)) }
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
        /// By origin, because a server may set a cookie with each response, which drops what this origin has sent.
        var entries = [Origin: [Key: [Entry]]]()
        // 32-bit: it counts what is in memory
        var size = 0
        var uses = 0

        subscript(key: Key) -> [Entry] {
            get { entries[Origin(key.url)]?[key] ?? [] }
            set {
                let origin = Origin(key.url)
                entries[origin, default: [:]][key] = newValue.isEmpty ? nil : newValue
                if entries[origin]?.isEmpty == true { entries[origin] = nil }
            }
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
            && !(addsCredentials && new.dependsOnUnseen(credentials))
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

    /// Drops what an origin has sent, because it has begun or ended a session whose cookies this store does not see.
    func drop(_ origin: Origin) {
        state.withLock { state in
            for entries in (state.entries.removeValue(forKey: origin) ?? [:]).values {
                for entry in entries { state.size -= entry.size }
            }
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
        let all = state.entries.values.joined().flatMap { key, entries in entries.map { (key, $0) } }.ordered {
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
        let directives =
            [request.value(forHTTPHeaderField: "Cache-Control")] + response.headers.values(for: .cacheControl)
        let isForbidden = directives.contains { value in
            value?.parts(between: ",").contains {
                $0.trimmingCharacters(in: .whitespaces).lowercased() == "no-store"
            } ?? false
        }
        let validators = [response.headers["ETag"], response.headers[.lastModified]].compactMap(\.self)
        return !isForbidden && response.status == 200 && response.request.url == request.url
            && !validators.isEmpty && validators.allSatisfy(HTTPSyntax.isFieldValue)
            && response.headers.varying != nil
    }
}
