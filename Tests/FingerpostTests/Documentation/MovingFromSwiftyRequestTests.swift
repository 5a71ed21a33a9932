import CallSupport
import Fingerpost
import FingerpostCallbacks
import Foundation
import TestSupport
import Testing

/// Compiles and runs the code about SwiftyRequest of the article MovingFromSmallLibraries, and what its table says.
@Suite(.inTurn) struct MovingFromSwiftyRequestTests {
    private nonisolated struct Person: Codable, Equatable, Sendable {
        var name: String
    }

    @Test func `Routes are derived from a base and sent`() async throws {
        let base = Route {
            $0.scheme = "https"
            $0.host = "somewebservice.com"
            $0.path = "api/v1"
        }
        let people = base.appending("people")
        let hairColor = QueryItem.named("haircolor")
        let blackHaired = people.query([hairColor("black")])
        #expect(
            try blackHaired.urlRequest().url?.absoluteString
                == "https://somewebservice.com/api/v1/people?haircolor=black")

        let token = "t"
        let person = Person(name: "Ada")
        let addition = people.method(.post)
            .header(.authorization, "Bearer \(token)").json(person)
        let request = try addition.urlRequest()
        #expect(request.httpBody == Data(#"{"name":"Ada"}"#.utf8))
        #expect(request.allHTTPHeaderFields == ["Authorization": "Bearer t", "Content-Type": "application/json"])

        let client = StubTransport(201, [:], #"{ "name": "Ada" }"#).client()
        let added = try await client.send(addition, as: Person.self)
        #expect(added == person)

        let shown = await withCheckedContinuation { continuation in
            let show: @Sendable (Result<Person, APIError>) -> Void = { continuation.resume(returning: $0) }
            client.request(addition, as: Person.self) { result in
                show(result)
            }
        }
        #expect(try shown.get() == person)
    }
}
