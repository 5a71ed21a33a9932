import CallSupport

/// The contents of JSON bodies, for values as parameters and as whole bodies.
@Suite(.inTurn) struct JSONEncodingTests {
    private static func body(_ route: Route) throws -> String {
        try route.urlRequest().httpBody?.text ?? "no body"
    }

    private static func body(_ parameters: Parameters) throws -> String {
        try body(.post("http://h.example").parameters(parameters))
    }

    private static let values: [(any Encodable & Sendable, String)] = [
        ("", #""""#), ("a\"b\\c/\r\n\t\u{8}\u{c}\u{1}", #""a\"b\\c/\r\n\t\b\f\u0001""#),
        ("é🦉\u{2028}", "\"é🦉\u{2028}\""),
        (0, "0"), (-5, "-5"), (UInt64.max, "18446744073709551615"), (1.5, "1.5"), (1e21, "1e+21"), (true, "true"),
        (Decimal(string: "1.10")!, "1.1"), (Float(0.5), "0.5"),
        (URL(string: "https://h.example/a?b=c")!, #""https://h.example/a?b=c""#), (Data([1, 2, 3]), #""AQID""#),
        (UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
        (Date(timeIntervalSince1970: 0), #""1970-01-01T00:00:00Z""#),
        (Date(timeIntervalSince1970: 0.25), #""1970-01-01T00:00:00.250Z""#), (Hue.green, #""green""#),
        (Level.high, "10"), ([Int](), "[]"), ([[1], [2, 3]], "[[1],[2,3]]"), ([1, nil], "[1,null]"),
        ([String: Int](), "{}"), (["b": 1, "a": 2], #"{"a":2,"b":1}"#), ([10: "x", 9: "y"], #"{"10":"x","9":"y"}"#),
        ([Tag(name: "a"): 1], #"{"tag-a":1}"#),
        // As in Foundation, a dictionary whose keys are not strings or integers becomes a list.
        ([Hue.red: 1], #"["red",1]"#),
        (Shape.circle(radius: 1), #"{"circle":{"radius":1}}"#), (Shape.text("t"), #"{"text":{"_0":"t"}}"#),
        (Shape.none, #"{"none":{}}"#),
        (
            Person(name: "N", address: Address(city: "C"), tags: ["t"]),
            #"{"address":{"city":"C"},"full_name":"N","tags":["t"]}"#
        ),
        (Dog(name: "Rex", style: .superKey), #"{"name":"Rex","super":{"legs":4}}"#),
        (Dog(name: "Rex", style: .ownKey), #"{"animal":{"legs":4},"name":"Rex"}"#),
        (Dog(name: "Rex", style: .sameContainer), #"{"legs":4,"name":"Rex"}"#),
        (
            Handwritten(),
            #"{"list":[1,null,{"inner":true},["x"],"super"],"object":{"inner":{"deep":7,"gone":null}}}"#
        ),
        (["z": 1, "a": ["y": 2, "b": 3] as Parameters] as Parameters, #"{"a":{"b":3,"y":2},"z":1}"#),
        (["ids": Parameters([1, 2]), "text": Parameters("t")] as Parameters, #"{"ids":[1,2],"text":"t"}"#),
    ]

    @Test(arguments: values)
    func `A value is the same JSON as a body and as a parameter`(value: any Encodable & Sendable, json: String) throws {
        let seen = try (Self.body(.post("http://h.example").body(.json(value))), Self.body(["v": value, "w": value]))
        #expect(seen == (json, #"{"v":\#(json),"w":\#(json)}"#))
    }

    /// A nil whose type is known only at run time.
    private static func generic<Value: Encodable & Sendable>(_ value: Value) -> Parameters { ["v": value] }

    @Test func `A nil inside another type is left out too`() throws {
        for nothing in [
            Self.generic(Int?.none), Self.generic(Int??.some(nil)), Self.generic(String??.none), ["v": Int??.some(nil)],
        ] as [Parameters] {
            #expect(try nothing.isEmpty && Self.body(nothing) == "{}" && Self.body(["p": nothing]) == #"{"p":{}}"#)
        }
        #expect(try Self.body(Self.generic(Optional(Optional("a")))) == #"{"v":"a"}"#)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e12, -1e12, 253_402_300_800, -62_135_769_601])
    func `A date outside the years 1 to 9999 is rejected`(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        for route in [
            Route.post("http://h.example").parameters(["d": [date]]), .post("http://h.example").json(["d": [date]]),
        ] {
            #expect(try failure(.encoding) { try route.urlRequest() }.codingPath == "d[0]")
        }
    }

    @Test func `A name that occurs twice is rejected among many`() throws {
        for count in [1, 15, 16, 17, 100] {
            var parameters = Parameters()
            for number in 0..<count { parameters.append("name \(number)", number) }
            #expect(try JSONDecoder().decode([String: Int].self, from: Data(Self.body(parameters).utf8)).count == count)
            for duplicate in [0, count / 2, count - 1] {
                var twice = parameters
                twice.append("name \(duplicate)", 0)
                let error = try failure { try Self.body(twice) }
                #expect(error.message.contains("duplicate parameter \"name \(duplicate)\""))
            }
        }
    }

    @Test func `Every control character is escaped`() throws {
        let text = String(String.UnicodeScalarView((0..<0x20).map { Unicode.Scalar($0)! }))
        let body = try Self.body(["t": text, "\u{1}\"": "a"])
        let decoded = try JSONDecoder().decode([String: String].self, from: Data(body.utf8))
        #expect(decoded == ["t": text, "\u{1}\"": "a"])
    }

    @Test func `Parameters keep their order, with the fields of a value in place`() throws {
        var parameters: Parameters = ["z": 1, "none": nil, "a": 2]
        parameters.append(contentsOf: Parameters(Address(city: "C", zip: "1")))
        parameters.append("m", 3)
        let seen = try [parameters, [:], Parameters([String: Int]())].map(Self.body)
        #expect(seen == [#"{"z":1,"a":2,"city":"C","zip":"1","m":3}"#, "{}", "{}"])
    }

    @Test func `The client's encoder writes every value, but no parameter names, queries and forms`() async throws {
        struct Fields: Encodable, Sendable {
            var inField = Data([1])
            var bornAt = Date(timeIntervalSince1970: 1)
            var tooLarge: Double?
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.dataEncodingStrategy = .deferredToData
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.outputFormatting = .sortedKeys
        let transport = StubTransport(200)
        let client = transport.client { $0.encoder = encoder }
        let nested: Parameters = ["aName": 1, "at": Date(timeIntervalSince1970: 2), "deep": ["aName": 1] as Parameters]
        let parameters: Parameters = [
            "aName": "a/b", "anotherName": Fields(tooLarge: .infinity), "inParameters": nested,
            "inDictionary": ["aName": nested], "inList": [nested],
        ]
        try await client.send(Route.post("x").parameters(parameters))
        try await client.send(Route.post("x").json(parameters))
        try await client.send(Route.post("x").parameters(["aName": Fields()]).encoding(.form))
        try await client.send(Route.get("x").parameters(Parameters(Fields())))
        var mixed = Parameters(Fields())
        mixed.append("aName", 1)
        for route in [
            Route.post("x").parameters(["in": mixed]), .post("x").json(Fields()),
            .post("x").parameters(Parameters(Fields())),
        ] { try await client.send(route) }
        let fields = #"{"born_at":1,"in_field":[1],"too_large":"inf"}"#
        let inside = #"{"aName":1,"at":2,"deep":{"aName":1}}"#
        let others = #""inDictionary":{"aName":\#(inside)},"inList":[\#(inside)]"#
        let seen = transport.requests.map { $0.httpBody?.text ?? $0.url?.query }
        #expect(
            seen == [
                #"{"aName":"a/b","anotherName":\#(fields),"inParameters":\#(inside),\#(others)}"#,
                #"{"aName":"a\/b","anotherName":\#(fields),\#(others),"inParameters":\#(inside)}"#,
                "aName%5BinField%5D=AQ%3D%3D&aName%5BbornAt%5D=1970-01-01T00%3A00%3A01Z",
                "inField=AQ%3D%3D&bornAt=1970-01-01T00%3A00%3A01Z", #"{"in":{"born_at":1,"in_field":[1],"aName":1}}"#,
                #"{"born_at":1,"in_field":[1]}"#, #"{"born_at":1,"in_field":[1]}"#,
            ])
        try await failure(.encoding) {
            try await client.send(Route.get("x").parameters(Parameters(Fields(tooLarge: .infinity))))
        }
    }

    private static let unencodable: [(Route, place: String?, reason: String)] = [
        (.post("x").parameters(["size": Double.nan]), "size", ""),
        (.post("x").parameters(["a": ["b": [1, Double.infinity]]]), "a.b[1]", ""),
        (.post("x").json(["a": ["b": [1, Double.infinity]]]), "a.b[1]", ""),
        (.post("x").parameters(["a": Refusing()]), "a", "Reason"),
        (.post("x").json(Refusing()), nil, "Reason"),
        (.post("x").parameters(Parameters(5)), nil, "need names"),
        (.post("x").parameters(Parameters([1])), nil, "need names"),
        (.post("x").parameters(["a": 1, "a": 2]), nil, "duplicate parameter \"a\""),
    ]

    @Test(arguments: unencodable)
    func `What JSON lacks is an error with its coding path`(route: Route, place: String?, reason: String) async throws {
        let transport = StubTransport(200)
        let error = try await failure(.encoding) { try await transport.client().send(route) }
        let isNamed = reason.isEmpty || error.message.contains(reason)
        #expect((error.codingPath, isNamed, transport.requests) == (place, true, []), "\(error)")
    }
}
