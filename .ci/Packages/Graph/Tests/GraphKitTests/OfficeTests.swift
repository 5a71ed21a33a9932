import FingerpostTesting
import Foundation
import GraphKit
import Testing

/// What the app does, answered by the recorded mocks.
@Suite(.mocks) struct OfficeTests {
    private let office: Office

    init() async throws {
        office = try Office()
        try await office.signIn("ada", "right")
    }

    @Test func profile() async throws {
        #expect(try await office.me().displayName == "Ada")
    }

    @Test func pages() async throws {
        #expect(try await office.events().map(\.id) == ["e1", "e2", "e3", "e4", "e5"])
        #expect(Mocks.calls(of: "events").count == 3)
    }

    @Test func changes() async throws {
        let first = try await office.changes()
        #expect(first.events.map(\.id) == ["e1", "e2", "e3"])
        let link = try #require(first.link)
        let second = try await office.changes(since: link)
        #expect(second.events.map(\.id) == ["e6"])
        #expect(second.link != nil)
    }

    @Test func text() async throws {
        #expect(try await office.text(ofMessage: "m/1") == "Subject: Hello\n\nGrüße\n")
    }

    @Test(.mocks(["messageText": "404"])) func missingText() async throws {
        let error = await #expect(throws: APIError.self) { try await office.text(ofMessage: "gone") }
        #expect(error?.status == 404)
        #expect((error?.response as? GraphProblem)?.error.code == "ErrorItemNotFound")
    }

    @Test func upload() async throws {
        #expect(try await office.upload(Data("film of it".utf8), as: "film.bin") == "f1")
    }

    @Test func copy() async throws {
        #expect(try await office.copy("f1") == "f2")
    }

    @Test func renewal() async throws {
        Mocks.set("me", .sequence([.status(401), .file]))
        #expect(try await office.me().id == "u1")
        #expect(Mocks.calls(of: "renew").count == 1)
    }

    @Test func wrongPassword() async throws {
        Mocks.set("signIn", .variant("400"))
        let error = await #expect(throws: APIError.self) { try await office.signIn("ada", "wrong") }
        #expect((error?.response as? LoginProblem)?.error == "invalid_grant")
        #expect(error?.serverMessage == "AADSTS50126: Invalid username or password.")
    }
}
