import FingerpostTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The ways in which an app asks a session.
enum SessionWay: CaseIterable {
    case async, completion, delegate

    /// What the app gets: the status, the headers beside their length and type, and the body; or the code of the error.
    func answer(
        _ request: URLRequest, _ configure: @Sendable (URLSessionConfiguration) -> Void = { _ in },
        below baseURLs: [URL] = []
    ) async -> String {
        let configuration =
            switch baseURLs.count {
            case 0: Mocks.sessionConfiguration()
            case 1: Mocks.sessionConfiguration(baseURLs[0])
            default: Mocks.sessionConfiguration(baseURLs[0], baseURLs[1])
            }
        configure(configuration)
        let delegate = SessionListener()
        let session =
            self == .delegate
            ? URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            : URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return await answer(request, by: session, delegate)
    }

    func answer(_ request: URLRequest, by session: URLSession, _ listener: SessionListener? = nil) async -> String {
        switch self {
        case .async:
            do {
                let (data, response) = try await session.data(for: request)
                return Self.text(data, response, nil)
            } catch { return Self.text(nil, nil, error) }
        case .completion:
            return await withCheckedContinuation { continuation in
                session.dataTask(with: request) { continuation.resume(returning: Self.text($0, $1, $2)) }.resume()
            }
        case .delegate:
            return await withCheckedContinuation { continuation in
                listener?.listen { continuation.resume(returning: $0) }
                session.dataTask(with: request).resume()
            }
        }
    }

    static func text(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> String {
        if let error { return "\((error as? URLError)?.code.rawValue ?? 0)" }
        guard let response = response as? HTTPURLResponse else { return "no response" }
        let headers = response.allHeaderFields.map { "\($0.key)".lowercased() + ": \($0.value)" }.sorted()
            .filter { !$0.hasPrefix("content-type") }
        let body = String(decoding: data ?? Data(), as: UTF8.self)
        return ["\(response.statusCode)", headers.joined(separator: ", "), body].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

/// Keeps what a session tells its delegate.
final class SessionListener: NSObject, URLSessionDataDelegate, Sendable {
    private let state = Locked<(response: URLResponse?, pieces: [Data], ended: (@Sendable (String) -> Void)?)>(
        (nil, [], nil))

    func listen(_ ended: @escaping @Sendable (String) -> Void) { state.withLock { $0 = (nil, [], ended) } }

    var pieces: Int { state.withLock { $0.pieces.count } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.pieces.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (response, pieces, ended) = state.withLock { $0 }
        ended?(SessionWay.text(Data(pieces.joined()), response, error))
    }
}

/// A sealed scope of a test with a folder of mocks.
struct SessionScope {
    let folder: TemporaryFolder
    let scope: APIScope

    /// - Parameter baseURL: that of the test's environment.
    init(
        _ files: [String: String], baseURL: String = "https://testing.invalid", _ variants: [MockName: String] = [:]
    ) throws {
        folder = try TemporaryFolder(files)
        scope = APIScope(
            environment: try Environment("Testing", values: ["baseURL": baseURL, "key": "k-1"]),
            network: .sealed, mocks: folder.url, variants: variants, clock: VirtualClock())
    }

    /// - Returns: the result, the lines of the calls, and the problems.
    func run<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> (result: Result, lines: [String], problems: [String]) {
        let result = try await scope.run(body)
        return (result, scope.calls.map(\.line), scope.close().map(folder.relative))
    }
}

extension URLRequest {
    /// A request to `https://api.example.com`, as `POST /path`.
    static func to(_ line: String, timeout: TimeInterval = 60, body: String? = nil) -> URLRequest {
        let words = line.split(separator: " ").map(String.init)
        let url = words[1].hasPrefix("/") ? "https://api.example.com\(words[1])" : words[1]
        var request = URLRequest(url: URL(string: url)!, timeoutInterval: timeout)
        request.httpMethod = words[0]
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }
}
