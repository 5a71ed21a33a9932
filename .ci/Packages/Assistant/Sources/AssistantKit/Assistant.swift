public import Fingerpost
import FingerpostStreams

/// A service of language models, each of whose answers costs money.
enum Assistant {
    case chat(String)
    case summarize(String)
    case order(String)
    case models
}

extension Assistant: Routable {
    var method: HTTPMethod {
        if case .models = self { .get } else { .post }
    }

    var path: RoutePath {
        switch self {
        case .chat: "chat"
        case .summarize: "summaries"
        case .order: "orders"
        case .models: "models"
        }
    }

    var parameters: Parameters? {
        switch self {
        case .chat(let text), .summarize(let text), .order(let text): ["text": text]
        case .models: nil
        }
    }

    var retry: RetryPolicy? { .standard }

    var isRepeatable: Bool {
        if case .summarize = self { true } else { false }
    }
}

struct Part: Decodable, Sendable {
    let text: String
}

public struct Problem: ErrorResponse {
    public struct Detail: Decodable, Sendable {
        public let message: String
        public let code: String
    }

    public let error: Detail
    public var message: String { error.message }
}

/// What an app does with the service.
public struct Chat: Sendable {
    private let client: APIClient

    public init() throws {
        client = try APIClient { $0.errorResponse = Problem.self }
    }

    /// The parts of an answer, as they come.
    public func answer(to text: String, receive: (String) -> Void) async throws {
        for try await part in try await client.stream(Assistant.chat(text)).json(as: Part.self) { receive(part.text) }
    }

    /// The same with the short form, which must not ask twice.
    public func answerAgain(to text: String) async throws -> [String] {
        var texts: [String] = []
        for try await event in client.events(Assistant.chat(text)) { texts.append(event.data) }
        return texts
    }

    public func summary(of text: String) async throws -> String {
        try await client.send(Assistant.summarize(text), as: Part.self).text
    }

    public func order(_ text: String) async throws -> String {
        try await client.send(Assistant.order(text), as: Part.self).text
    }

    public func models() async throws -> [String] { try await client.send(Assistant.models, as: [String].self) }
}
