public import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
public import Foundation

/// A response for a mock, set in code inside a scope: see ``Mocks/set(_:_:)``.
///
/// ```swift
/// Mocks.set("login", .status(401))
/// Mocks.set("user", .json(User(login: "octocat")).delayed(by: .seconds(2)))
/// Mocks.set("user", .sequence([.failure(.timedOut), .file]))
/// ```
///
/// Put a response that many tests need into the mocks folder, as a variant (`login.401.json`) or in the mock's settings
/// (`login.mock.json`). The tools check the files in this folder.
public struct MockResponse: Sendable {
    /// How the response to a stream ends.
    public enum StreamEnding: Sendable, Hashable {
        /// The server closes the connection.
        case closed
        /// The connection stays open, and nothing more comes.
        case open
        /// The connection is lost.
        case lost
    }

    // If only headers, a delay or a number of times are set, the mock's own file answers.
    /// The properties that a file can set too.
    private(set) var stub = StubResponse()
    /// Creates the body when a call needs the body.
    private(set) var body: (@Sendable () throws -> Data)?
    /// The media type of ``body``.
    private(set) var type: String?
    /// The events of a stream.
    private(set) var events: [ServerSentEvent]?
    /// The responses to successive calls. Nil for a single response to all calls.
    private(set) var sequence: [MockResponse]?
    /// The response to calls after the end of ``sequence``.
    private(set) var after = AfterSequence.fail
    /// True if ``sequence`` contains a response that no call can get, because an endless sequence precedes it.
    private(set) var hasUnreachable = false
    /// Creates the response from the request.
    private(set) var respond: (@Sendable (URLRequest) async throws -> MockResponse)?

    /// A short description of the response. The body and the headers are left out because they can be secret.
    public let description: String

    private init(_ description: String, _ set: (inout MockResponse) -> Void = { _ in }) {
        self.description = description
        set(&self)
    }

    /// Returns a copy with changed properties.
    private func with(_ set: (inout MockResponse) -> Void) -> MockResponse {
        var copy = self
        set(&copy)
        return copy
    }

    /// True if code of the test creates the response.
    var runsCode: Bool { respond != nil || sequence?.contains(where: \.runsCode) == true }

    /// A response with a status from 100 to 599 (RFC 9110 section 15). With any other status, the call fails. The body
    /// comes from the variant named after the status (`login.401.json`). If there is no such file, the body is empty.
    public static func status(_ status: Int) -> MockResponse {
        MockResponse("status \(status)") { $0.stub.status = status }
    }

    /// A response with a value as its JSON body. The library's standard encoder encodes the value, with sorted keys and
    /// ISO 8601 dates; for other JSON, use ``data(_:contentType:status:)``.
    ///
    /// - Parameters:
    ///   - value: the value to encode.
    ///   - status: the status; 200 by default.
    public static func json(_ value: some Encodable & Sendable, status: Int = 200) -> MockResponse {
        encoding(status) { try JSONEncoder.standard.encode(value) }
    }

    /// A response with values of several kinds as its JSON body: `.json(["total_count": 0, "items": []])`.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - status: the status; 200 by default.
    public static func json(_ value: JSONValue, status: Int = 200) -> MockResponse {
        encoding(status) { try JSONEncoder.standard.encode(value) }
    }

    private static func encoding(_ status: Int, _ body: @escaping @Sendable () throws -> Data) -> MockResponse {
        MockResponse("JSON with status \(status)") {
            ($0.stub.status, $0.body, $0.type) = (status, body, "application/json")
        }
    }

    /// A response with any bytes as its body.
    ///
    /// - Parameters:
    ///   - data: the body.
    ///   - contentType: the value of `Content-Type`; none by default.
    ///   - status: the status; 200 by default.
    public static func data(_ data: Data, contentType: String? = nil, status: Int = 200) -> MockResponse {
        MockResponse("\(data.count.inWords("byte")) with status \(status)") {
            ($0.stub.status, $0.body, $0.type) = (status, { data }, contentType)
        }
    }

    /// A stream of events (`text/event-stream`), for `stream(_:)` and `events(_:)`. Each event arrives only when the
    /// loop asks for it. Put a stream that several tests share into the mocks folder, as `ticker.events`.
    ///
    /// - Parameters:
    ///   - events: the events. A string literal is an event with this text as its data.
    ///   - interval: the time before each event; none by default. The wait uses the scope's clock, so it takes no real
    ///     time in tests.
    ///   - ending: what happens after the last event; the server closes the connection by default.
    public static func events(
        _ events: [ServerSentEvent], every interval: Duration = .zero, ending: StreamEnding = .closed
    ) -> MockResponse {
        MockResponse("a stream of \(events.count.inWords("event"))") {
            $0.events = events
            $0.stub.pace = MockPace(unit: .event, interval: interval)
            $0.stub.isOpen = ending == .open
            if ending == .lost { ($0.stub.failure, $0.stub.after) = (.truncated, events.count) }
        }
    }

    /// No response: the connection fails with a `URLError` with this code.
    public static func failure(_ code: URLError.Code) -> MockResponse {
        MockResponse("URLError \(code.rawValue)") { $0.stub.failure = .urlError(code.rawValue) }
    }

    /// The response of a variant in the mocks folder: `locked` for `login.locked.json`.
    public static func variant(_ name: String) -> MockResponse {
        MockResponse("the variant \(name)") { $0.stub.variant = name }
    }

    /// The mock's own response from the mocks folder, as if no response were set in code. Use this response in a
    /// sequence: `.sequence([.status(503), .file])`.
    public static let file = MockResponse("the mock's own file")

    /// A sequence with one response per call, in the given order. A call after the last response fails. The test fails
    /// if the test ends before all responses are used.
    ///
    /// Sequences inside a sequence are flattened. Only the last element can be a sequence that repeats its last
    /// response. If another element follows such a sequence, calls fail, because no call could get the element.
    ///
    /// For an app that polls, use ``sequence(_:thenRepeating:)``.
    public static func sequence(_ answers: [MockResponse]) -> MockResponse {
        sequence(answers, then: nil)
    }

    /// A sequence with one response per call, in the given order, and then `last` for every further call. Use this
    /// sequence for apps that poll.
    ///
    /// - Parameters:
    ///   - answers: the responses before `last`; each response is used once.
    ///   - last: the response to all further calls. If `last` is a sequence, its responses are used in order again and
    ///     again, unless that sequence repeats its own last response. The test fails if no call uses `last`.
    public static func sequence(_ answers: [MockResponse], thenRepeating last: MockResponse) -> MockResponse {
        var last = last
        if last.sequence != nil, last.after == .fail { last.after = .loop }
        return sequence(answers, then: last)
    }

    /// - Parameter last: the response to all further calls. If nil, the last element of `answers` determines what
    ///   happens after the sequence.
    private static func sequence(_ answers: [MockResponse], then last: MockResponse?) -> MockResponse {
        let parts = answers.flatMap(\.parts) + (last.map { [$0] } ?? [])
        return MockResponse("a sequence of \(parts.count.inWords("answer"))") {
            $0.sequence = parts
            $0.after = last == nil ? answers.last?.after ?? .fail : .repeatLast
            $0.hasUnreachable =
                answers.dropLast(last == nil ? 1 : 0).contains { $0.after != .fail }
                || (answers + parts).contains(where: \.hasUnreachable)
        }
    }

    /// The responses of a sequence, each with the sequence's headers, delay and times. For a response that is not a
    /// sequence, the list contains only this response.
    private var parts: [MockResponse] {
        guard let sequence else { return [self] }
        return sequence.map { part in part.with { $0.stub = stub.over(part.stub) } }
    }

    /// A response that depends on the request.
    ///
    /// - Parameter answer: receives the request after middleware and authorization have changed it. The errors that
    ///   this closure throws are handled like the errors of a ``/Fingerpost/Transport``.
    public static func respond(
        _ answer: @escaping @Sendable (_ request: URLRequest) async throws -> MockResponse
    ) -> MockResponse {
        MockResponse("an answer that depends on the request") { $0.respond = answer }
    }

    /// Adds a header field to the response. In the field's value, `{env.baseURL}` becomes the environment's base URL,
    /// and `{env.<key>}` becomes the environment's value for a key, as in the settings of a mock. The call fails if the
    /// key's value is a secret.
    public func header(_ name: HTTPHeaders.Name, _ value: String) -> MockResponse {
        with { $0.stub.headers.append((name.rawValue, value)) }
    }

    /// Requires that exactly `count` calls use the response. With any other number of calls, the test fails. For a
    /// sequence, `count` is the total for all its responses.
    ///
    /// ```swift
    /// Mocks.set("login", .status(401).times(2))
    /// ```
    ///
    /// - Parameter count: the number of calls, up to a million; 0 for a response that must not be used.
    public func times(_ count: Int) -> MockResponse {
        with { $0.stub.times = count }
    }

    /// Delays the response. The delay uses the scope's clock, so it takes no real time in tests. This delay replaces
    /// the delay in the mock's settings.
    public func delayed(by delay: Duration) -> MockResponse {
        with { $0.stub.delay = .fixed(delay) }
    }
}

extension MockResponse: CustomStringConvertible, CustomReflectable {
    /// No children. The body and the headers are left out because they can be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
