import FingerpostFiles
import Foundation

/// The end of a feed in the settings of its mock, as the recorder writes it: a server that has no more events answers
/// the connection after the stream with 204. Each loop over the feed begins with the stream again.
enum EndOfStream {
    /// The answer that follows the stream.
    private static var end: [String: Any] { ["status": 204, "failure": "empty"] }

    /// True if the settings have an end, and no other sequence.
    static func isIn(_ settings: [String: Any]) -> Bool {
        guard let sequence = settings["sequence"] as? [[String: Any]], sequence.count == 2,
            settings["after"] as? String == "loop"
        else { return false }
        return Array(sequence[0].keys) == ["body"]
            && NSDictionary(dictionary: sequence[1]) == NSDictionary(dictionary: end)
    }

    /// Adds the end.
    ///
    /// - Parameter stream: the path of the stream's body file, which is in the folder of the settings.
    static func added(to settings: [String: Any], after stream: String) -> [String: Any] {
        let name = stream.words(between: "/").last.map(String.init) ?? stream
        return settings.merging(["sequence": [["body": name], end], "after": "loop"]) { $1 }
    }

    /// Removes the end, and nothing else.
    static func removed(from settings: [String: Any]) -> [String: Any] {
        isIn(settings) ? settings.filter { $0.key != "sequence" && $0.key != "after" } : settings
    }
}
