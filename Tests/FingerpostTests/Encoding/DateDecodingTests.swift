import CallSupport

/// Dates in the JSON of a client.
@Suite(.inTurn) struct DateDecodingTests {
    @Test func `What a client's decoder reads, its encoder writes`() throws {
        let configuration = APIClient.Configuration()
        let json = Data(#"["2026-01-31T10:00:00.250Z"]"#.utf8)
        let written = try configuration.encoder.encode(configuration.decoder.decode([Date].self, from: json))
        #expect(written == json)
    }

    @Test func `A number for a date names the strategies that read it`() async throws {
        struct Event: Decodable, Sendable { var d: Date }
        for (value, isNumber) in [
            ("1600000000", true), ("1600000000.5", true), ("-1", true), ("true", false), ("null", false), ("{}", false),
        ] {
            let client = StubTransport(200, [:], #"{"d": \#(value)}"#).client()
            let error = try await failure(.decoding) { try await client.send(Route.get("x"), as: Event.self) }
            let isNamed = (error.message.contains(".secondsSince1970"), "\(error)".contains("1970"))
            #expect(isNamed == (isNumber, isNumber), "\(value): \(error)")
        }
    }
}
