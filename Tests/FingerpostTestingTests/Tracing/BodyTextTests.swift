@testable import FingerpostTesting

@Suite(.inTurn) struct BodyTextTests {
    private static let body = """
        {
          "first_name": "a",
          "items": [
            { "user_id": 1 },
            {
              "user_id": 2 }
          ]
        }
        """

    @Test(
        arguments: [
            ([], 1), ([.key("firstName")], 2), ([.key("first_name")], 2), ([.key("items"), .index(1)], 5),
            ([.key("items"), .index(1), .key("userId")], 6), ([.key("items"), .index(7)], 3),
            ([.key("items"), .each, .key("userId")], 4), ([.key("nowhere")], 1),
        ] as [([BodyPath.Part], Int)])
    func `A model's path leads to a line in the text`(_ parts: [BodyPath.Part], _ line: Int) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let text = try #require(BodyText(Data(Self.body.utf8), decoder: decoder))
        #expect(text.line(of: BodyPath(parts)) == line)
    }

    @Test func `Keys converted by a custom strategy are found`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            AnyCodingKey(stringValue: path.map(\.stringValue).joined(separator: "/"))
        }
        let text = try #require(BodyText(Data(#"{"a": {"b": 1}}"#.utf8), decoder: decoder))
        #expect((text.key("a/b", in: BodyPath([.key("a")])), text.key("x", in: BodyPath([.key("a")]))) == ("b", "x"))
    }
}
