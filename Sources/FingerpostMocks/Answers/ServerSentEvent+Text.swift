import Fingerpost
import FingerpostFiles

extension ServerSentEvent {
    /// The event as a server sends it; nil if the name or the identifier has characters that cannot be sent.
    var text: String? {
        if event.hasAny(of: "\0\r\n") || id?.hasAny(of: "\0\r\n") == true { return nil }
        var text = event == "message" ? "" : "event: \(event)\n"
        if let id { text += "id: \(id)\n" }
        let lines = data.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
        for line in lines { text += "data: \(line)\n" }
        return text + "\n"
    }
}
