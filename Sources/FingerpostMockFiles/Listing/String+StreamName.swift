import FingerpostFiles

extension String {
    /// The name of the mock whose body is the stream of this file name: `ticker` for `ticker.events`. Nil for other
    /// names.
    package var streamMockName: String? {
        Self.streamTypes.map { ".\($0)" }.first { ends(with: $0) }.map { withoutEnd($0) }
    }

    /// The extensions of streams: events of a server, and one JSON value per line.
    static let streamTypes = ["events", "ndjson"]
}
