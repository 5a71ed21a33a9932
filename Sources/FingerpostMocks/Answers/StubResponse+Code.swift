import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

extension StubResponse {
    /// Creates a response from a response set in code, without its sequence and without the results of its closures.
    ///
    /// - Throws: ``APIError`` if a value cannot be encoded, or if an event cannot be sent.
    init(_ response: MockResponse, of source: MockCursor.Source) throws(APIError) {
        self = response.stub
        if let body = response.body {
            do { data = (try body(), response.type, nil) } catch {
                throw APIError(
                    .mock,
                    "the value set for the mock \(source) cannot be encoded as JSON: "
                        + EncodingError.text(of: error),
                    fix: "correct its Encodable conformance, or set the bytes with .data", underlying: error)
            }
        }
        if let events = response.events {
            data = (try Self.text(of: events, from: source), "text/event-stream", nil)
        }
    }

    /// Returns the text of a stream of events.
    private static func text(of events: [ServerSentEvent], from source: MockCursor.Source) throws(APIError) -> Data {
        var data = Data()
        for event in events {
            guard let text = event.text else {
                throw APIError(
                    .mock, "an event set for the mock \(source) has a line break or NUL in its name or identifier",
                    fix: "remove it; only the data may have several lines")
            }
            data += Data(text.utf8)
        }
        return data
    }
}

extension ServerSentEvent {
    /// The event's text in a stream. Nil if the event's name or identifier contains characters that cannot be sent.
    var text: String? {
        if event.hasAny(of: "\0\r\n") || id?.hasAny(of: "\0\r\n") == true { return nil }
        var text = event == "message" ? "" : "event: \(event)\n"
        if let id { text += "id: \(id)\n" }
        let data = data.replacing(bytesOf: "\r\n", with: "\n").replacing(bytesOf: "\r", with: "\n")
        for line in data.parts(between: "\n") { text += "data: \(line)\n" }
        return text + "\n"
    }
}
