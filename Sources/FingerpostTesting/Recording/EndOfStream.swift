import FingerpostDocuments
import FingerpostFiles

/// The end of a stream in a mock's settings. A server that has no more events answers the next connection with the
/// status 204, so the recorder adds a second response with this status. Each new loop over the events starts again with
/// the first response.
enum EndOfStream {
    private static let status: Int64 = 204
    private static let failure = "empty"

    /// Returns true if the settings contain the end of a stream, and no other sequence.
    static func isIn(_ settings: Node) -> Bool {
        guard let answers = settings["sequence"]?.elements, answers.count == 2,
            settings["after"]?.string == "loop", answers[0].entries?.map(\.key) == ["body"],
            answers[1].entries?.count == 2, answers[1]["failure"]?.string == failure,
            case .integer(status)? = answers[1]["status"]?.value
        else { return false }
        return true
    }

    /// Adds the end of a stream to the settings.
    ///
    /// - Parameter stream: the path of the stream's body file. The settings are in the same folder.
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

    /// Removes the end of a stream from the settings.
    static func removed(from settings: Node) -> Node {
        var settings = settings
        if isIn(settings) {
            settings.set("sequence", to: nil)
            settings.set("after", to: nil)
        }
        return settings
    }
}
