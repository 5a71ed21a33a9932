package import FingerpostFiles
package import Foundation

/// The response of a mock, as settings, a scenario, another process or code describes it. A property is nil or empty if
/// the description does not set it.
package struct StubResponse: Sendable {
    /// The variant whose files answer.
    package var variant: String?
    /// The HTTP status.
    package var status: Int?
    /// The header fields, in written order.
    package var headers: [(name: String, value: String)] = []
    /// The path of the body file, relative to the mocks folder.
    package var body: String?
    /// The body itself, which replaces the body file.
    package var data: StubBody?
    /// The failure that this response simulates, such as a lost connection.
    package var failure: MockFailure?
    /// The time that the response takes.
    package var delay: MockDelay?
    /// The pace of the body, for a call that reads the body chunk by chunk. If nil, the whole body arrives immediately.
    package var pace: MockPace?
    /// True if the connection stays open after the body.
    package var isOpen: Bool?
    /// If the body is truncated, the number of chunks that arrive; nil for half of the body.
    package var after: Int?
    /// The number of times that a test must use the response.
    package var times: Int?
    /// Pairs of a mock and a variant: after this response, the mock is switched to the variant.
    package var then: [(mock: String, variant: String)]?
    /// The line where this response starts in its file, 1-based.
    package var line: Int?

    /// Creates a response without any properties.
    package init() {}

    /// Returns this response. A property that this response does not set is taken from another response. If this
    /// response's failure excludes a property, the property is not taken. Each header is treated as a separate
    /// property.
    package func over(_ other: StubResponse) -> StubResponse {
        var response = self
        response.variant = variant ?? other.variant
        response.delay = delay ?? other.delay
        response.times = times ?? other.times
        response.then = then ?? other.then
        if failure?.isBeforeResponse == true { return response }
        response.status = status ?? other.status
        let own = headers.map { $0.name.lowercased() }
        response.headers = other.headers.filter { !own.contains($0.name.lowercased()) } + headers
        response.body = body ?? other.body
        response.data = data ?? other.data
        response.pace = pace ?? other.pace
        if failure == nil || failure == .truncated { response.after = after ?? other.after }
        if failure != nil { return response }
        response.failure = other.failure
        response.isOpen = isOpen ?? other.isOpen
        return response
    }

    /// Returns this response. A property that this response does not set is taken from another response. The other
    /// response comes from the same file, or from the names of files. If this response simulates an empty body, no body
    /// is taken.
    package func inheriting(_ other: StubResponse) -> StubResponse {
        var other = other
        if failure == .empty { (other.body, other.data, other.pace) = (nil, nil, nil) }
        return over(other)
    }

    /// Returns the response that results when this response replaces another one. If this response sets a variant, a
    /// status, a body or a failure, only the delay and the number of times can come from the other response.
    package func replacing(_ other: StubResponse) -> StubResponse {
        let saysWhatAnswers = variant != nil || status != nil || data != nil || failure != nil
        if !saysWhatAnswers { return over(other) }
        var response = self
        response.delay = delay ?? other.delay
        response.times = times ?? other.times
        return response
    }
}

/// The rules for what can be written, in a file and in code.
extension StubResponse {
    static let allStatuses = 100...599
    static let allTimes = 0...1_000_000

    /// Returns true if no response with the given status has a body (RFC 9110 sections 15.2, 15.3.5, 15.3.6 and
    /// 15.4.5).
    package static func hasNoContent(_ status: Int) -> Bool { status < 200 || [204, 205, 304].contains(status) }

    /// Checks a response that code has set. The readers of files check each value themselves, because they know the
    /// line of the value.
    package func check() throws(FileProblem) {
        if let status, let problem = FileProblem(of: "status", status, in: Self.allStatuses) { throw problem }
        for (name, value) in headers {
            try Self.check(header: name)
            try Self.check(value, ofHeader: name)
        }
        if let type = data?.type { try Self.checkLines(of: type, inHeader: "Content-Type") }
    }

    /// If a number of times is invalid, returns the problem. Otherwise returns nil.
    package static func problem(ofTimes times: Int) -> FileProblem? { FileProblem(of: "times", times, in: allTimes) }

    /// The escape for the text `{env.` in a header of a mock. A server may send a header that contains this text.
    package static let escapedKeyStart = LayeredEnvironment.keyStart + "{}"

    static func check(header name: String) throws(FileProblem) {
        if HTTPSyntax.isToken(name) { return }
        throw FileProblem(
            "\"\(name)\" is not a valid header name", fix: "use letters, digits and !#$%&'*+-.^_`|~")
    }

    static func check(_ value: String, ofHeader name: String) throws(FileProblem) {
        try checkLines(of: value, inHeader: name)
        var rest = value[...]
        while let source = rest.firstRange(ofBytes: LayeredEnvironment.keyStart) {
            rest = rest[source.upperBound...]
            guard rest.cut(at: "}")?.before.isEmpty ?? true else { continue }
            throw FileProblem(
                "the header \"\(name)\" names no key of the environment", fix: "write {env.baseURL}, or another key")
        }
    }

    /// Checks the final value of a header.
    package static func checkLines(of value: String, inHeader name: String) throws(FileProblem) {
        if HTTPSyntax.isFieldValue(value) { return }
        throw FileProblem(
            "the header \"\(name)\" contains a line break or a NUL character", fix: "remove it")
    }
}

/// The body of a response. The media type is nil if it is unknown or set by a header. The file is nil if the bytes do
/// not come from a file.
package typealias StubBody = (data: Data, type: String?, file: URL?)

/// The time that a mock takes to answer. Bounds of random times are in seconds.
package enum MockDelay: Sendable, Equatable {
    /// Every response takes the same time.
    case fixed(Duration)
    /// The time is random and uniformly distributed between two bounds.
    case uniform(ClosedRange<Double>)
    /// The time is random and log-normally distributed: most responses take about the median, and one of a hundred
    /// takes `p99` or longer.
    case logNormal(median: Double, p99: Double)
}
