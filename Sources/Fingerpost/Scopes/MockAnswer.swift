import FingerpostFiles
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What answers a mock inside a scope, set by code: see ``Mocks/set(_:_:)``.
///
/// ```swift
/// Mocks.set("login", .status(401))
/// Mocks.set("user", .json(User(login: "octocat")).delayed(by: .seconds(2)))
/// Mocks.set("user", .sequence([.failure(.timedOut), .json(user)]))
/// ```
///
/// What many tests need stands better in the folder of the mocks, as a variant (`login.401.json`) or in its settings
/// (`login.mock.json`), where it is checked.
public struct MockAnswer: Sendable {
    indirect enum Kind: Sendable {
        case status(Int)
        case body(Data, type: String?, status: Int)
        case encoding(@Sendable () throws -> Data, status: Int)
        case failure(URLError.Code)
        case variant(String)
        case sequence([MockAnswer], MockSettings.After)
        case respond(@Sendable (URLRequest) async throws -> MockAnswer)
    }

    let kind: Kind
    private(set) var headers: HTTPHeaders = [:]
    private(set) var delay: Duration?

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// A status (RFC 9110 section 15), with the body of the mock's variant of that name (`login.401.json`) where there is one, else with
    /// none.
    public static func status(_ status: Int) -> MockAnswer { MockAnswer(.status(status)) }

    /// A value as JSON, by the encoder of the library: sorted keys, dates as ISO 8601.
    ///
    /// - Parameters:
    ///   - value: what the app is to decode.
    ///   - status: 200 by default.
    public static func json(_ value: some Encodable & Sendable, status: Int = 200) -> MockAnswer {
        MockAnswer(.encoding({ try JSONEncoder.standard.encode(value) }, status: status))
    }

    /// Bytes.
    ///
    /// - Parameters:
    ///   - data: the body.
    ///   - contentType: the value of `Content-Type`; none by default.
    ///   - status: 200 by default.
    public static func data(_ data: Data, contentType: String? = nil, status: Int = 200) -> MockAnswer {
        MockAnswer(.body(data, type: contentType, status: status))
    }

    /// No answer: the connection fails.
    public static func failure(_ code: URLError.Code) -> MockAnswer { MockAnswer(.failure(code)) }

    /// A variant of the mock from the folder: `locked` for `login.locked.json`.
    public static func variant(_ name: String) -> MockAnswer { MockAnswer(.variant(name)) }

    /// One answer after another. A call that comes after the last one fails, and so does a test that ends before it.
    ///
    /// A sequence inside is given answer by answer too.
    public static func sequence(_ answers: [MockAnswer]) -> MockAnswer {
        MockAnswer(.sequence(answers.flatMap(\.single), .fail))
    }

    /// One answer after another, and then the last one again and again: for what is polled.
    public static func sequence(_ answers: [MockAnswer], thenRepeating last: MockAnswer) -> MockAnswer {
        MockAnswer(.sequence(answers.flatMap(\.single) + [last], .repeatLast))
    }

    /// The answers that are given one after another, each with what was said of all.
    private var single: [MockAnswer] {
        guard case .sequence(let answers, .fail) = kind else { return [self] }
        return answers.map { inner in
            var answer = inner
            answer.headers.merge(headers)
            answer.delay = delay ?? inner.delay
            return answer
        }
    }

    /// An answer that depends on the request, as middleware left it. What it throws is thrown to the caller, as a transport's errors are.
    public static func respond(
        _ answer: @escaping @Sendable (_ request: URLRequest) async throws -> MockAnswer
    ) -> MockAnswer {
        MockAnswer(.respond(answer))
    }

    /// The same answer with another header field.
    public func header(_ name: HTTPHeaders.Name, _ value: String) -> MockAnswer {
        var answer = self
        answer.headers.add(name, value)
        return answer
    }

    /// The same answer later: it sleeps on the scope's clock, which in tests takes no time.
    public func delayed(by delay: Duration) -> MockAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }
}
