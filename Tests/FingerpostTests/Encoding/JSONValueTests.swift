import CallSupport
import FingerpostTesting

@Suite(.inTurn) struct JSONValueTests {
    private func body(_ route: Route) throws -> String? {
        try route.urlRequest(relativeTo: URL(string: "https://h.invalid")).httpBody.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func `Values of several kinds are written as literals`() throws {
        #expect(try body(.post("x").json(["items": []] as JSONValue)) == #"{"items":[]}"#)
        #expect(
            try body(.post("x").json(["a": 1, "b": "\(2)", "c": [true, nil, 1.5], "d": ["e": .null]] as JSONValue))
                == #"{"a":1,"b":"2","c":[true,null,1.5],"d":{"e":null}}"#)
        #expect(try body(.post("x").json([1, "a"] as JSONValue)) == #"[1,"a"]"#)
        // Values of one kind keep their own type.
        #expect(try body(.post("x").json(["a": 1])) == #"{"a":1}"#)
        let id = 7
        #expect(try body(.post("x").json(["id": id])) == #"{"id":7}"#)
    }

    @Test func `A null parameter is sent, and a nil one is left out`() throws {
        let owner: String? = nil
        #expect(try body(.post("x").parameters(["owner": owner, "assignee": .null])) == #"{"assignee":null}"#)
        let query = Route.get("x").parameters(["owner": owner, "assignee": .null])
        #expect(try query.urlRequest(relativeTo: URL(string: "https://h.invalid")).url?.query == "assignee=")
    }

    @Test func `A value of any kind is decoded`() throws {
        let text = #"{"a":null,"b":[true,1,1.5,"x",{}],"c":9223372036854775807}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let expected: JSONValue = ["a": .null, "b": [true, 1, 1.5, "x", .object([:])], "c": .integer(Int64.max)]
        #expect(value == expected)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data("[1,".utf8)) }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "NaN")
        #expect(try decoder.decode(JSONValue.self, from: Data(#"["NaN"]"#.utf8)) == ["NaN"])
    }

    @Test(arguments: [
        "9007199254740993.5", "-9007199254740993.5", "12345678901234567.89", "4503599627370497.5",
        "1125899906842624.5",
    ])
    func `A fraction is not cut off`(number: String) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(number.utf8))
        #expect(value == .number(try #require(Double(number))))
    }

    @Test(arguments: ["9007199254740993.0", "9007199254740993", "9.007199254740993e15"])
    func `A number without a fraction keeps every digit`(number: String) throws {
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(number.utf8)) == .integer(9_007_199_254_740_993))
        #expect(
            try PropertyListDecoder().decode([JSONValue].self, from: PropertyListEncoder().encode([Int64.max])) == [
                .integer(.max)
            ])
    }

    @Test func `Parameters are read and replaced by name`() throws {
        var parameters: Parameters = ["a": 1, "b": 2, "a": 3]
        #expect(parameters["a"] as? Int == 3 && parameters["c"] == nil)
        var withNil: Parameters = ["a": 1, "a": nil as Int?]
        #expect(withNil["a"] as? Int == 1)
        withNil["a"] = nil
        #expect(withNil.isEmpty)
        parameters["a"] = 4
        parameters["c"] = "x"
        parameters["b"] = nil
        #expect(try body(.post("x").parameters(parameters)) == #"{"a":4,"c":"x"}"#)
        var fields = Parameters(["a": 1])
        fields[""] = nil
        #expect(try body(.post("x").parameters(fields)) == #"{"a":1}"#)
    }

    @Test func `Parameters and headers that are nil add nothing`() throws {
        let parameters: Parameters? = nil
        let value: String? = nil
        let route = Route.post("x").parameters(parameters).header("X-A", value)
        let request = try route.urlRequest(relativeTo: URL(string: "https://h.invalid"))
        #expect(request.httpBody == nil && request.value(forHTTPHeaderField: "X-A") == nil)
        #expect(try body(.post("x").parameters([:])) == "{}")
    }

    @Test func `A value is read by its keys, its indices and its kind`() throws {
        let text = #"{"items": [{"name": "a", "count": 2, "price": 1.5, "isNew": true, "note": null}], "total": 1.0}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let item = try #require(value["items"]?[0])
        #expect(item["name"]?.string == "a" && item["name"] == "a")
        // Also where `Int` has 32 bits, `int` is the whole identifier.
        let count: Int64? = item["count"]?.int
        #expect(count == 2 && item["count"]?.double == 2 && value["total"]?.int == 1)
        #expect(item["price"]?.double == 1.5 && item["price"]?.int == nil)
        #expect(item["isNew"]?.bool == true && item["note"] == .some(.null))
        #expect(value["items"]?.array?.count == 1 && item.object?.count == 5)
        for absent in [value[0], value["other"], value["items"]?["0"], value["items"]?[1], value["items"]?[-1]] {
            #expect(absent == nil)
        }
        for other in [item["name"]?.bool == nil, item["count"]?.string == nil, item.array == nil, item.double == nil] {
            #expect(other)
        }
    }
}
