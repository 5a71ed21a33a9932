import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The responses that a client has kept: see ``Revalidation``.
final class RevalidationStore: Sendable {
    /// A kept response.
    struct Entry: Sendable {
        /// The values that the request had for the headers of the response's `Vary`.
        fileprivate let varying: [String: String]
        fileprivate let headers: HTTPHeaders
        fileprivate let status: Int
        fileprivate let data: Data
        fileprivate var use = 0

        fileprivate init(_ response: Response<Data>, to request: URLRequest) {
            varying = Self.varying(request, response.headers)
            (headers, status, data) = (response.headers, response.status, response.data)
        }

        /// What this entry takes, in bytes: a bound for the headers and the body.
        fileprivate var size: Int { headers.reduce(data.count + 500) { $0 + $1.value.utf8.count + 50 } }

        private static func varying(_ request: URLRequest, _ headers: HTTPHeaders) -> [String: String] {
            var values: [String: String] = [:]
            for name in headers.values(for: .vary).flatMap({ $0.parts(between: ",") }) {
                let name = name.trimmingCharacters(in: .whitespaces).lowercased()
                values[name] = request.value(forHTTPHeaderField: name) ?? ""
            }
            return values
        }

        fileprivate func answers(_ request: URLRequest) -> Bool {
            varying.allSatisfy { request.value(forHTTPHeaderField: $0) ?? "" == $1 }
        }

        /// True if the response depends on a credential that the request did not have.
        fileprivate func dependsOnUnseen(_ credentials: [HTTPHeaders.Name]) -> Bool {
            varying.contains { name, value in
                let name = HTTPHeaders.Name(rawValue: name)
                return value.isEmpty && (name.isSensitive || credentials.contains(name))
            }
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
        var entries: [Key: [Entry]] = [:]
        var size = 0
        var uses = 0
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
            guard let index = state.entries[key]?.firstIndex(where: { $0.answers(request) }) else { return nil }
            state.uses += 1
            state.entries[key]?[index].use = state.uses
            return state.entries[key]?[index]
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
            for entry in state.entries[key] ?? [] where entry.answers(request) { state.size -= entry.size }
            state.entries[key]?.removeAll { $0.answers(request) }
            if isKept {
                state.uses += 1
                var entry = new
                entry.use = state.uses
                state.entries[key, default: []].append(entry)
                state.size += new.size
                Self.dropVariant(of: key, in: &state)
            }
            if state.entries[key]?.isEmpty == true { state.entries[key] = nil }
            Self.shrink(&state, to: maximumSize)
        }
    }

    /// Drops what an origin has sent, because it has begun or ended a session whose cookies this store does not see.
    func drop(_ origin: Origin) {
        state.withLock { state in
            for (key, entries) in state.entries where Origin(key.url) == origin {
                for entry in entries { state.size -= entry.size }
                state.entries[key] = nil
            }
        }
    }

    private static func dropVariant(of key: Key, in state: inout State) {
        guard let entries = state.entries[key], entries.count > maximumVariants,
            let index = entries.indices.min(by: { entries[$0].use < entries[$1].use })
        else { return }
        state.size -= entries[index].size
        state.entries[key]?.remove(at: index)
    }

    /// Drops what was not used for longest: a quarter more than needed, so that not every call has to search.
    private static func shrink(_ state: inout State, to size: Int) {
        guard state.size > size else { return }
        let all = state.entries.flatMap { key, entries in entries.map { (key, $0) } }.sorted { $0.1.use < $1.1.use }
        for (key, entry) in all {
            guard state.size > size - size / 4 else { return }
            state.entries[key]?.removeAll { $0.use == entry.use }
            if state.entries[key]?.isEmpty == true { state.entries[key] = nil }
            state.size -= entry.size
        }
    }

    private static func key(of request: URLRequest, _ credentials: [HTTPHeaders.Name]) -> Key? {
        guard request.httpMethod ?? "GET" == "GET", request.httpBody == nil, request.httpBodyStream == nil,
            let url = request.url
        else { return nil }
        var values: [String: String] = [:]
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
            && !response.headers.values(for: .vary).contains { $0.contains(bytesOf: "*") }
    }
}
