import Fingerpost
import FingerpostFiles

extension ServerSentEvent {
    /// The event as a server sends it; nil if the name or the identifier has characters that cannot be sent.
    var text: String? {
        if event.hasAny(of: "\0\r\n") || id?.hasAny(of: "\0\r\n") == true { return nil }
        var text = event == "message" ? "" : "event: \(event)\n"
        if let id { text += "id: \(id)\n" }
        let data = data.replacing(bytesOf: "\r\n", with: "\n").replacing(bytesOf: "\r", with: "\n")
        for line in data.parts(between: "\n") { text += "data: \(line)\n" }
        return text + "\n"
    }
}
