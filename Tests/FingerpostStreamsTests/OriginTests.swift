import Fingerpost
import TestSupport

@testable import FingerpostStreams

@Suite(.inTurn) struct OriginTests {
    @Test func `Pages keep credentials at their origin, also when it is encrypted`() throws {
        let rows = [
            ("https://h.example/a", "https://H.example:443/b", true), ("http://h.example", "http://h.example:80", true),
            ("http://h.example", "https://h.example", true), ("http://h.example:8080", "https://h.example:8080", true),
            ("http://h.example:8080", "https://h.example", false),
            ("http://h.example", "https://h.example:8443", false),
            ("https://h.example", "https://h.example:8443", false), ("https://h.example", "http://h.example", false),
            ("https://h.example", "https://h.example.org", false), ("http://h.example", "https://i.example", false),
        ]
        for (url, next, isIncluded) in rows {
            let origin = Origin(try #require(URL(string: url)))
            #expect(try origin.includes(#require(URL(string: next))) == isIncluded, "\(url) \(next)")
        }
    }
}
