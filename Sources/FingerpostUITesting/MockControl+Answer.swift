extension MockControl {
    /// An answer of a mock in another process.
    public struct Answer: Sendable, CustomStringConvertible {
        private enum Kind: Sendable {
            case variant(String)
            case status(Int, body: String?)
            case failure(String)
        }

        private let kind: Kind
        private var delay: Duration?

        /// The answer of a variant: `locked` for `login.locked.json`.
        public static func variant(_ name: String) -> Answer { Answer(kind: .variant(name)) }

        /// A response with a status.
        ///
        /// - Parameters:
        ///   - status: the status, from 100 to 599.
        ///   - body: the body, for example JSON; by default that of the variant named after the status, or else none.
        public static func status(_ status: Int, body: String? = nil) -> Answer {
            Answer(kind: .status(status, body: body))
        }

        /// No response: the connection fails.
        ///
        /// - Parameter name: the name of a `URLError.Code` such as `timedOut`, or `truncated`, `malformed` or `empty`.
        public static func failure(_ name: String) -> Answer { Answer(kind: .failure(name)) }

        /// Delays the answer. The delay takes real time, at most a day.
        public func delayed(by delay: Duration) -> Answer {
            var answer = self
            answer.delay = delay
            return answer
        }

        /// Whether a call got this answer, as far as a call tells.
        ///
        /// - Parameter isOfEveryMock: true if the answer was set for every mock. Those that lack a variant answer as
        ///   usual.
        func isPossible(of call: Call, isOfEveryMock: Bool) -> Bool {
            guard isOfEveryMock, case .variant(let name) = kind else { return true }
            return call.variant?.utf8.elementsEqual(name.utf8) == true
        }

        /// The answer as `control.json` writes it.
        var json: [String: Any] {
            var json: [String: Any] = [:]
            switch kind {
            case .variant(let name): json["variant"] = name
            case .status(let status, let body): (json["status"], json["body"]) = (status, body)
            case .failure(let name): json["failure"] = name
            }
            json["delay"] = delay.map { $0 / .seconds(1) }
            return json
        }

        /// The kind of the answer, without its body.
        public var description: String {
            switch kind {
            case .variant(let name): "the variant \"\(name)\""
            case .status(let status, _): "the status \(status)"
            case .failure(let name): "the failure \(name)"
            }
        }
    }
}
