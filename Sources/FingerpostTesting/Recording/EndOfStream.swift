import FingerpostFiles

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
