import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Collects the body of a stream, and writes a recording when the stream ends. A stream ends when its connection, its
/// reader or its test ends. If the connection is lost, the recording contains the part that has arrived.
final class StreamCollector: BodyObserver {
    private struct State {
        var data = Data()
        var pieces = 0
        /// The time at which the last chunk arrived.
        var last: Date
        var isWritten = false
    }

    private let type: MediaType?
    private let began: Date
    private let now: @Sendable () -> Date
    private let write: @Sendable (Data, MockPace) -> Void
    private let state: Locked<State>
    /// Makes every caller of ``end(isWhole:)`` wait until the recording is written.
    private let writing = NSLock()

    /// - Parameters:
    ///   - type: the `Content-Type` of the response.
    ///   - now: returns the current time. The head of the response arrives immediately before this initializer runs.
    ///   - write: writes the body. This closure is called once.
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

    /// Does nothing, because the recording began when the response's head arrived.
    func begin(_ head: Response<Void>) {}

    func receive(_ bytes: Data) {
        let time = now()
        state.withLock { state in
            // If a body is too large to be recorded, one byte more than the maximum is stored. This extra byte shows
            // that the body is too large.
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
        // An event without its final empty line is left out, because readers discard such an event. A last line without
        // a line break is complete only if the stream has ended.
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
    /// Returns the size in bytes of the complete chunks at the start of a body.
    // 32-bit: the size is a position in memory
    fileprivate func wholeSize(of data: Data) -> Int {
        let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        switch self {
        case .bytes: return data.count
        case .line: return data.lastIndex(where: ends.contains).map { $0 + 1 - data.startIndex } ?? 0
        case .event: return Self.wholeEvents(in: data).last ?? 0
        }
    }
}
