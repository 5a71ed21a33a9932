import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// How the body of a mock arrives at a call that reads it as it arrives.
struct MockFlow {
    /// What each piece is; nil for the whole body at once.
    var unit: MockPace.Unit?
    /// The time before each piece.
    var delay = Duration.zero
    /// True if the connection stays open after the last piece.
    var isOpen = false
    /// How many pieces come before the connection is lost, if it is; nil for half of them.
    var count: Int?

    init(unit: MockPace.Unit? = nil, delay: Duration = .zero, isOpen: Bool = false, count: Int? = nil) {
        (self.unit, self.delay, self.isOpen, self.count) = (unit, delay, isOpen, count)
    }

    /// - Parameter type: the `Content-Type` of the answer.
    /// - Returns: nil for an answer that arrives as a whole.
    init?(_ answer: MockAnswerSettings, type: String?) {
        let isOpen = answer.isOpen ?? false
        guard answer.pace != nil || isOpen || answer.failure == .truncated else { return nil }
        // A body without a pace comes at once, unless its connection is lost on the way.
        if answer.pace != nil || answer.failure == .truncated {
            let isEvents = type.map { MediaType(contentType: $0).rawValue } == "text/event-stream"
            unit = answer.pace?.unit ?? (isEvents ? .event : .line)
        }
        delay = .seconds(answer.pace?.delay ?? 0)
        self.isOpen = isOpen
        count = answer.after
    }

    /// The pieces of a body.
    ///
    /// - Parameter isCut: true if the connection is lost.
    func pieces(of data: Data, isCut: Bool) -> [Data] {
        let ends = isCut || unit != nil ? (unit ?? .line).ends(in: data) : data.isEmpty ? [] : [data.count]
        let pieces = zip([0] + ends, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        return isCut ? Array(pieces.prefix(count ?? pieces.count / 2)) : pieces
    }
}
