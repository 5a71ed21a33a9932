import Fingerpost
import FingerpostFiles

/// Reads the lines of an event stream (html.spec.whatwg.org, section 9.2.6).
struct EventParser: Sendable {
    /// The last identifier that has come with a whole event or an empty one.
    private(set) var lastID = ""
    /// The time in milliseconds that the server asks clients to wait before they reconnect.
    private(set) var retry: Int64?
    private var id: String
    private var event = ""
    private var data: [UInt8]?
    /// The size of the longest identifier, in bytes. It is sent in a header, and servers refuse longer ones.
    private static let maximumIDSize = 4096

    /// - Parameter lastID: the last identifier of an earlier connection.
    init(lastID: String = "") {
        (self.lastID, id) = (lastID, lastID)
    }

    /// The size of the event that has no end yet, in bytes.
    var size: Int { (data?.count ?? 0) + event.utf8.count }

    /// Reads one line.
    ///
    /// - Returns: the event that the line ends, if it does.
    mutating func read(_ line: [UInt8]) -> ServerSentEvent? {
        if line.isEmpty { return end() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // A line that begins with a colon is a comment. It has an empty name, as no field has.
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "data":
            if data == nil {
                data = Array(value)
            } else {
                data?.append(UInt8(ascii: "\n"))
                data?.append(contentsOf: value)
            }
        case "event": event = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0) && value.count <= Self.maximumIDSize:
            id = String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy(\.isASCIIDigit):
            // A number that does not fit is longer than any wait.
            retry = Int64(String(decoding: value, as: UTF8.self)) ?? .max
        default: break
        }
        return nil
    }

    private mutating func end() -> ServerSentEvent? {
        defer { (event, data) = ("", nil) }
        lastID = id
        return data.map { data in
            ServerSentEvent(
                String(decoding: data, as: UTF8.self), event: event.isEmpty ? "message" : event,
                id: id.isEmpty ? nil : id)
        }
    }
}
