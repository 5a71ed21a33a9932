import AssistantKit
import FingerpostTesting
import Testing

/// What the app does, answered by a server.
@Suite(.environment("Staging"), .network(.live), .serialized) struct ChatTests {
    private let chat: Chat

    init() throws { chat = try Chat() }

    @Test func answer() async throws {
        var text = ""
        try await chat.answer(to: "Why?") { text += $0 }
        #expect(text == "Because it is so.")
        #expect(try await chat.answerAgain(to: "Why?").last == "[DONE]")
    }

    @Test func errorInTheStream() async throws {
        var text = ""
        let error = await #expect(throws: APIError.self) { try await chat.answer(to: "overload") { text += $0 } }
        #expect(text == "Because" && error?.kind == .decoding && error?.serverMessage == "The model is overloaded.")
        #expect((error?.response as? Problem)?.error.code == "overloaded")
    }

    @Test func rateLimit() async throws {
        #expect(try await chat.summary(of: "limited") == "short")
        let error = await #expect(throws: APIError.self) { try await chat.models() }
        #expect(error?.kind == .decoding && error?.errorDescription == "The quota is used up.")
    }

    @Test func paidOrder() async throws {
        let error = await #expect(throws: APIError.self) { try await chat.order("limited") }
        #expect(error?.status == 429 && error?.attempts == 1 && error?.serverMessage == "Slow down.")
    }
}
