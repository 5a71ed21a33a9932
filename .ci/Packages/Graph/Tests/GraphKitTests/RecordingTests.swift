import FingerpostTesting
import Foundation
import GraphKit
import Testing

/// `MOCKS=record:Staging swift test` makes the mocks: each call once.
@Suite(.recording) struct RecordingTests {
    @Test func everything() async throws {
        let office = try Office()
        await #expect(throws: APIError.self) { try await office.signIn("ada", "wrong") }
        // What the client sends to renew its token is not recorded.
        let token: Token = try await office.login.send(Login.signIn(user: "ada", password: "right"))
        let _: Token = try await office.login.send(Login.renew(token.refreshToken))
        try await office.signIn("ada", "right")
        // The server takes the first token for expired.
        _ = try await office.me()
        _ = try await office.events()
        let link = try #require(try await office.changes().link)
        _ = try await office.changes(since: link)
        _ = try await office.text(ofMessage: "m/1")
        await #expect(throws: APIError.self) { try await office.text(ofMessage: "gone") }
        _ = try await office.upload(Data("film of it".utf8), as: "film.bin")
        _ = try await office.copy("f1")
    }
}
