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

    /// The pieces of a body.
    ///
    /// - Parameter isCut: true if the connection is lost.
    func pieces(of data: Data, isCut: Bool) -> [Data] {
        let ends = isCut || unit != nil ? (unit ?? .line).ends(in: data) : data.isEmpty ? [] : [data.count]
        let pieces = zip([0] + ends, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        return isCut ? Array(pieces.prefix(count ?? pieces.count / 2)) : pieces
    }
}
