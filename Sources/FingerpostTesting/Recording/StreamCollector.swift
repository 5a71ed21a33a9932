import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Collects the body of a stream, and writes it when the stream ends: with the connection, with its reader, or with the
/// test. If the connection is lost, what has come is written.
final class StreamCollector: BodyObserver {
    private struct State {
        var data = Data()
        var pieces = 0
        /// When the last chunk came.
        var last: Date
        var isWritten = false
    }

    private let type: MediaType?
    private let began: Date
    private let now: @Sendable () -> Date
    private let write: @Sendable (Data, MockPace) -> Void
    private let state: Locked<State>
    /// Held while the recording is written, so that all who end the stream wait for it.
    private let writing = NSLock()

    /// - Parameters:
    ///   - type: the `Content-Type` of the response.
    ///   - now: the time. The head of the response has just come.
    ///   - write: writes the body. It is called once.
    init(
        type: String?, now: @escaping @Sendable () -> Date,
        write: @escaping @Sendable (Data, MockPace) -> Void
    ) {
        self.type = type.map { MediaType(contentType: $0) }
        self.now = now
        self.write = write
        began = now()
        state = Locked(State(last: began))
    }

    /// The recording has begun when its response came, with this head.
    func begin(_ head: Response<Void>) {}

    func receive(_ bytes: Data) {
        let time = now()
        state.withLock { state in
            // Of a body that is too large to be recorded, one byte too much is kept.
            state.data += bytes.prefix(Recording.largestSearched + 1 - state.data.count)
            state.pieces += 1
            state.last = time
        }
    }

    func end(isWhole: Bool) {
        writing.withLock {
            let state = state.withLock { $0 }
            if state.isWritten { return }
            write(state, isWhole)
            self.state.withLock { ($0.isWritten, $0.data) = (true, Data()) }
        }
    }

    private func write(_ state: State, _ isWhole: Bool) {
        let unit = unit(of: state)
        // Readers lose an event without an end. A line without an end is whole only if it is the last one.
        let body = isWhole && unit != .event ? state.data : state.data.prefix(unit.wholeSize(of: state.data))
        var pace = MockPace(unit: unit)
        let count = unit.ends(in: body).count
        if count > 0 {
            let mean = max(0, state.last.timeIntervalSince(began)) / Double(count)
            pace.interval = .seconds(min((mean * 10).rounded() / 10, 86_400))
        }
        write(Data(body), pace)
    }

    private func unit(of state: State) -> MockPace.Unit {
        switch type?.rawValue {
        case "text/event-stream": .event
        case let type? where type.begins(with: "text/"): .line
        case let type where StreamedElements.areLines(state.data, type ?? ""): .line
        default: .bytes(max(1, state.data.count / max(1, state.pieces)))
        }
    }
}

extension MockPace.Unit {
    /// How many bytes of a body are whole chunks. What follows them has no end.
    // 32-bit: it is a position in memory
    fileprivate func wholeSize(of data: Data) -> Int {
        let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        switch self {
        case .bytes: return data.count
        case .line: return data.lastIndex(where: ends.contains).map { $0 + 1 - data.startIndex } ?? 0
        case .event: return Self.wholeEvents(in: data).last ?? 0
        }
    }
}

/// The end of a feed in the settings of its mock, as the recorder writes it: a server that has no more events answers
/// the connection after the stream with 204. Each loop over the feed begins with the stream again.
enum EndOfStream {
    private static let status: Int64 = 204
    private static let failure = "empty"

    /// True if the settings have an end, and no other sequence.
    static func isIn(_ settings: Node) -> Bool {
        guard let answers = settings["sequence"]?.elements, answers.count == 2,
            settings["after"]?.string == "loop", answers[0].entries?.map(\.key) == ["body"],
            answers[1].entries?.count == 2, answers[1]["failure"]?.string == failure,
            case .integer(status)? = answers[1]["status"]?.value
        else { return false }
        return true
    }

    /// Adds the end.
    ///
    /// - Parameter stream: the path of the stream's body file, which is in the folder of the settings.
    static func added(to settings: Node, after stream: String) -> Node {
        let name = stream.words(between: "/").last.map(String.init) ?? stream
        var (settings, body, end) = (settings, Node.object, Node.object)
        body.set("body", to: Node(.string(name)))
        end.set("status", to: Node(.integer(status)))
        end.set("failure", to: Node(.string(failure)))
        settings.set("sequence", to: Node(.array([body, end])))
        settings.set("after", to: Node(.string("loop")))
        return settings
    }

    /// Removes the end, and nothing else.
    static func removed(from settings: Node) -> Node {
        var settings = settings
        if isIn(settings) {
            settings.set("sequence", to: nil)
            settings.set("after", to: nil)
        }
        return settings
    }
}
