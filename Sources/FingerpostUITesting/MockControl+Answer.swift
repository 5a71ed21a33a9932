public import Foundation

extension MockControl {
    /// An answer of a mock in another process.
    public struct Answer: Sendable, CustomStringConvertible {
        private enum Kind: Sendable {
            case variant(String)
            case status(Int, body: String?)
            case failure(String)
        }

        private let kind: Kind
        private var delay: TimeInterval?

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

        /// Delays the answer.
        ///
        /// - Parameter seconds: the time until the answer, in seconds.
        public func delayed(by seconds: TimeInterval) -> Answer {
            var answer = self
            answer.delay = seconds
            return answer
        }

        /// The answer as `control.json` writes it.
        var json: [String: Any] {
            var json: [String: Any] = [:]
            switch kind {
            case .variant(let name): json["variant"] = name
            case .status(let status, let body): (json["status"], json["body"]) = (status, body)
            case .failure(let name): json["failure"] = name
            }
            json["delay"] = delay
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
