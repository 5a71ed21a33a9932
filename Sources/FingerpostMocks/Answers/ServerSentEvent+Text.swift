import Fingerpost
import FingerpostFiles

extension ServerSentEvent {
    /// The event as a server sends it; nil if the name or the identifier has characters that cannot be sent.
    var text: String? {
        if event.hasAny(of: "\0\r\n") || id?.hasAny(of: "\0\r\n") == true { return nil }
        var text = event == "message" ? "" : "event: \(event)\n"
        if let id { text += "id: \(id)\n" }
        var lines = LineParser()
        lines.append(Array(data.utf8))
        while let line = lines.next() { text += "data: \(String(decoding: line, as: UTF8.self))\n" }
        return text + "data: \(String(decoding: lines.begun, as: UTF8.self))\n\n"
    }
}
