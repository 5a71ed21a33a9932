import Fingerpost
import FingerpostFiles

/// Reads the lines of an event stream (html.spec.whatwg.org, section 9.2.6).
struct EventParser: Sendable {
    /// The last identifier whose event is complete, even if this event has no data.
    private(set) var lastID = ""
    /// The time in milliseconds that the server asks clients to wait before they reconnect.
    private(set) var retry: Int64?
    private var id: String
    private var event = ""
    private var data: [UInt8]?
    /// The maximum size of an identifier in bytes. Servers refuse longer identifiers, because each identifier is sent
    /// in a header.
    private static let maximumIDSize = 4096

    /// - Parameter lastID: the last identifier of an earlier connection.
    init(lastID: String = "") {
        (self.lastID, id) = (lastID, lastID)
    }

    /// The size in bytes of the unfinished event.
    var size: Int { (data?.count ?? 0) + event.utf8.count }

    /// Reads one line.
    ///
    /// - Returns: the event that this line completes. Nil if the line completes no event.
    mutating func read(_ line: [UInt8]) -> ServerSentEvent? {
        if line.isEmpty { return end() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // A line that begins with a colon is a comment. The name of such a line is empty, and no field has an empty
        // name.
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
            // A number that does not fit into 64 bits exceeds any wait.
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
