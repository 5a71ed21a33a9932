import CallSupport
import FingerpostTesting

@Suite(.inTurn) struct JSONValueTests {
    /// The body of a route, or else its query.
    private static func sent(_ route: Route) throws -> String? {
        let request = try route.urlRequest(relativeTo: URL(string: "https://h.invalid"))
        return request.httpBody?.text ?? request.url?.query
    }

    @Test func `Values of several kinds and null are written as literals, and what is nil adds nothing`() throws {
        let (id, owner, none): (Int, String?, Parameters?) = (7, nil, nil)
        let mixed: JSONValue = ["a": 1, "b": "\(2)", "c": [true, nil, 1.5], "d": ["e": .null]]
        let parameters: Parameters = ["owner": owner, "assignee": .null]
        let routes: [Route] = [
            .post("x").json(["items": []] as JSONValue), .post("x").json(mixed),
            .post("x").json([1, "a"] as JSONValue),
            // Values of one kind keep their own type.
            .post("x").json(["a": 1]), .post("x").json(["id": id]), .post("x").parameters(parameters),
            .get("x").parameters(parameters), .post("x").parameters(none).header("X-A", owner),
            .post("x").parameters([:]),
        ]
        let sent = try routes.map(Self.sent)
        #expect(
            sent == [
                #"{"items":[]}"#, #"{"a":1,"b":"2","c":[true,null,1.5],"d":{"e":null}}"#, #"[1,"a"]"#, #"{"a":1}"#,
                #"{"id":7}"#, #"{"assignee":null}"#, "assignee=", nil, "{}",
            ])
        #expect(routes[7].headers.isEmpty)
    }

    @Test func `A value of any kind is decoded, and a number keeps its fraction or every digit`() throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN")
        let values: [String: JSONValue] = [
            #"{"a":null,"b":[true,1,1.5,"x",{}],"c":9223372036854775807}"#: [
                "a": .null, "b": [true, 1, 1.5, "x", .object([:])], "c": .integer(Int64.max),
            ],
            #"["NaN"]"#: ["NaN"],
            "9007199254740993.5": .number(9007199254740993.5), "-9007199254740993.5": .number(-9007199254740993.5),
            "12345678901234567.89": .number(12345678901234567.89), "4503599627370497.5": .number(4503599627370497.5),
            "1125899906842624.5": .number(1125899906842624.5), "9007199254740993.0": .integer(9_007_199_254_740_993),
            "9007199254740993": .integer(9_007_199_254_740_993),
            "9.007199254740993e15": .integer(9_007_199_254_740_993),
        ]
        for (text, value) in values {
            #expect(try decoder.decode(JSONValue.self, from: Data(text.utf8)) == value, "\(text)")
        }
        let list = try PropertyListDecoder().decode([JSONValue].self, from: PropertyListEncoder().encode([Int64.max]))
        #expect(list == [.integer(.max)])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data("[1,".utf8)) }
    }

    @Test func `Parameters are read and replaced by name`() throws {
        var parameters: Parameters = ["a": 1, "b": 2, "a": 3]
        var withNil: Parameters = ["a": 1, "a": nil as Int?]
        #expect((parameters["a"] as? Int, parameters["c"] == nil, withNil["a"] as? Int) == (3, true, 1))
        withNil["a"] = nil
        parameters["a"] = 4
        parameters["c"] = "x"
        parameters["b"] = nil
        var fields = Parameters(["a": 1])
        fields[""] = nil
        let bodies = try [parameters, fields].map { try Self.sent(.post("x").parameters($0)) }
        #expect((withNil.isEmpty, bodies) == (true, [#"{"a":4,"c":"x"}"#, #"{"a":1}"#]))
    }

    @Test func `A value is read by its keys, its indices and its kind`() throws {
        let text = #"{"items": [{"name": "a", "count": 2, "price": 1.5, "isNew": true, "note": null}], "total": 1.0}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let item = try #require(value["items"]?[0])
        // Also where `Int` has 32 bits, `int` is the whole identifier.
        let count: Int64? = item["count"]?.int
        let seen = (item["name"]?.string, count, item["count"]?.double, value["total"]?.int, item["price"]?.double)
        #expect(seen == ("a", 2, 2, 1, 1.5))
        let found = (item["name"], item["isNew"]?.bool, item["note"], value["items"]?.array?.count, item.object?.count)
        #expect(found == ("a", true, .some(.null), 1, 5))
        let absent = [value[0], value["other"], value["items"]?["0"], value["items"]?[1], value["items"]?[-1]]
        #expect(absent.compactMap { $0 } == [])
        let got = (item["price"]?.int, item["name"]?.bool, item["count"]?.string, item.array, item.double)
        #expect(got == (nil, nil, nil, nil, nil))
    }
}
