import Fingerpost
import FingerpostStreams
import FingerpostTesting
import Foundation
import TestSupport

/// Compiles and runs the code of the article FollowingStreams.
@Suite(.inTurn) struct FollowingStreamsTests {
    enum Assistant: Routable {
        case answer(question: String)

        var method: HTTPMethod { .post }
        var path: RoutePath { "answers" }
        var parameters: Parameters? {
            switch self {
            case .answer(let question): ["question": question]
            }
        }
    }

    enum Market: Routable {
        case ticks, news, rates

        var path: RoutePath { "\(String(describing: self))" }
    }

    nonisolated struct Part: Decodable, Sendable {
        let text: String
    }

    nonisolated struct Tick: Decodable, Sendable {
        let symbol: String
        let price: Double
    }

    @MainActor final class ChatModel {
        private(set) var text = ""
        private(set) var problem: APIError?
        private let client: APIClient

        init(client: APIClient) {
            self.client = client
        }

        func ask(_ question: String) async {
            do {
                for try await event in try await client.stream(Assistant.answer(question: question)).events {
                    text += event.data
                }
            } catch {
                problem = error as? APIError
            }
        }
    }

    @Test(.mocks) func `Events, values and news`() async throws {
        let client = try APIClient()
        var (text, prices, headlines) = ("", [String: Double](), [String]())

        let stream = try await client.stream(Assistant.answer(question: "Why?"))
        for try await event in stream.events {
            text += event.data
        }
        #expect(text == "Because it is so.")

        Mocks.set("answer", .events([#"{"text": "Because"}"#, "[DONE]"]))
        text = ""
        let parts = try await client.stream(Assistant.answer(question: "Why?"))
            .json(as: Part.self)
        for try await part in parts { text += part.text }
        #expect(text == "Because")
        Mocks.reset("answer")

        let ticks = try await client.stream(Market.ticks).json(as: Tick.self)
        for try await tick in ticks {
            prices[tick.symbol] = tick.price
        }
        #expect(prices == ["A": 1.5, "B": 2])

        let patient = Assistant.answer(question: "Why?")
            .timeout(.seconds(10)).idleTimeout(.seconds(60))
        #expect(try await client.data(for: patient).count == 33)

        Mocks.set(
            "news",
            .sequence([
                .events(["one"]), .status(503), .events(["two"]), .status(204),
            ]))
        for try await event in client.events(Market.news) {
            headlines.append(event.data)
        }
        Mocks.set("rates", .sequence([.events([#"{"symbol": "A", "price": 3}"#]), .status(204)]))
        for try await tick in client.events(Market.rates).json(as: Tick.self) {
            prices[tick.symbol] = tick.price
        }
        #expect((headlines, prices) == (["one", "two"], ["A": 3, "B": 2]))
    }
}

@MainActor @Suite(.inTurn) struct ChatModelTests {
    typealias ChatModel = FollowingStreamsTests.ChatModel

    @Test(.mocks) func showsTheAnswer() async throws {
        let model = ChatModel(client: try APIClient())
        await model.ask("Why?")
        #expect(model.text == "Because it is so.")
    }

    @Test(.mocks) func tellsThatTheAnswerBrokeOff() async throws {
        Mocks.set(
            "answer",
            .events(["Because", " it"], every: .seconds(5), ending: .lost))
        let model = ChatModel(client: try APIClient())
        await model.ask("Why?")
        #expect(model.text == "Because it")
        #expect(model.problem != nil)
    }
}
