import Fingerpost
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import FingerpostTesting

/// What an archive and a recording show of one response.
@Suite(.timeLimit(.minutes(2))) struct BodySecretsTests {
    @Test func `Archives and recordings hide the same names, and show those that describe`() async throws {
        let hidden = ResponseNames.issued.enumerated().map { (name: $1, value: "sekret-\($0)-value") }
        let shown = ResponseNames.described.enumerated().map { (name: $1, value: "plain-\($0)-value") }
        let pairs = (hidden + shown).map { #""\#($0.name)": "\#($0.value)""# }.joined(separator: ", ")
        let archive = HARRecorder()
        let studio = try Studio(handler: Studio.json("{\(pairs)}", ["Content-Type": "application/json"])) {
            $0.observers = [archive]
        }
        try await studio.client.send(Studio.API.user(login: "octocat"))
        let recording = try #require(try studio.files()["users/show.json"])
        for text in [recording, String(decoding: try archive.data(), as: UTF8.self)] {
            for (name, value) in hidden { #expect(text.contains(name) && !text.contains(value), "\(name)") }
            for (name, value) in shown { #expect(text.contains(name) && text.contains(value), "\(name)") }
        }
    }
}
