import CallSupport

/// The contents of queries, value by value; brackets, spaces and quotes are shown unescaped.
@Suite(.inTurn) struct QueryEncodingTests {
    /// - Returns: the query without percent-encoding.
    private static func query(_ parameters: Parameters, _ dialect: QueryDialect = .standard) throws -> String {
        let request = try Route.get("http://h.example/x").query(parameters).dialect(dialect).urlRequest()
        let text = request.url?.absoluteString ?? "no URL"
        return String(text.dropFirst("http://h.example/x".count).drop { $0 == "?" }).removingPercentEncoding ?? ""
    }

    private static func dog(
        _ style: Dog.Style, _ legs: String, _ javaLegs: String
    ) -> (Parameters, standard: String, rails: String, java: String) {
        let query = "name=Rex&\(legs)=4"
        return (Parameters(Dog(name: "Rex", style: style)), query, query, "name=Rex&\(javaLegs)=4")
    }

    private static let shapes: [(Parameters, standard: String, rails: String, java: String)] = [
        (["a": [1, 2, 3]], "a=1&a=2&a=3", "a[]=1&a[]=2&a[]=3", "a=1&a=2&a=3"),
        (["a": [Int]()], "", "", ""),
        (["a": ["b": ["c": 1]]], "a[b][c]=1", "a[b][c]=1", "a.b.c=1"),
        (["a": ["b": [1, 2]]], "a[b]=1&a[b]=2", "a[b][]=1&a[b][]=2", "a.b=1&a.b=2"),
        (["a": true, "b": false], "a=true&b=false", "a=true&b=false", "a=true&b=false"),
        (
            ["p": Person(name: "N", address: Address(city: "C"), tags: ["t"])],
            "p[full_name]=N&p[address][city]=C&p[tags]=t",
            "p[full_name]=N&p[address][city]=C&p[tags][]=t",
            "p.full_name=N&p.address.city=C&p.tags=t"
        ),
        (
            Parameters(Person(name: "N", age: 3, address: Address(city: "C", zip: "1"))),
            "full_name=N&age=3&address[city]=C&address[zip]=1",
            "full_name=N&age=3&address[city]=C&address[zip]=1",
            "full_name=N&age=3&address.city=C&address.zip=1"
        ),
        (["s": Shape.circle(radius: 2)], "s[circle][radius]=2", "s[circle][radius]=2", "s.circle.radius=2"),
        (["s": Shape.text("t")], "s[text][_0]=t", "s[text][_0]=t", "s.text._0=t"),
        (["s": Shape.none], "", "", ""), dog(.superKey, "super[legs]", "super.legs"),
        dog(.ownKey, "animal[legs]", "animal.legs"), dog(.sameContainer, "legs", "legs"),
    ]

    @Test(arguments: shapes)
    func `The dialect sets the names of array elements and nested values`(
        parameters: Parameters, standard: String, rails: String, java: String
    ) throws {
        let seen = try (Self.query(parameters), Self.query(parameters, .rails), Self.query(parameters, .java))
        #expect(seen == (standard, rails, java))
    }

    private static let listed: [(Parameters, indexed: String)] = [
        (["a": [[1, 2], [3]]], "a[0][0]=1&a[0][1]=2&a[1][0]=3"), (["a": [["b": 1], ["b": 2]]], "a[0][b]=1&a[1][b]=2"),
        (["a": ["b": [["c": 1]]]], "a[b][0][c]=1"),
        (["p": [Person(name: "N", address: Address(city: "C"))]], "p[0][full_name]=N&p[0][address][city]=C"),
        (["a": [[Int](), [1]]], "a[1][0]=1"),
    ]

    @Test(arguments: listed.indices, [QueryDialect.standard, .rails, .java])
    func `Lists and objects in a list need numbers`(index: Int, dialect: QueryDialect) throws {
        let (parameters, indexed) = Self.listed[index]
        #expect(try Self.query(parameters, QueryDialect(arrays: .indexed)) == indexed)
        for route in [Route.get("x").query(parameters), .post("x").parameters(parameters).encoding(.form)] {
            let base = URL(string: "https://h.example")
            let error = try failure(.encoding) { try route.dialect(dialect).urlRequest(relativeTo: base) }
            #expect(error.message.contains("use QueryDialect(arrays: .indexed)"), "\(error)")
        }
    }

    private static let scalars: [(any Encodable & Sendable, String)] = [
        ("", ""), ("a b", "a b"), ("a+b&c=d#e/f?g%41", "a+b&c=d#e/f?g%41"), ("é🦉", "é🦉"), ("a\r\n\0", "a\r\n\0"),
        (0, "0"), (-5, "-5"), (Int.max, "9223372036854775807"), (Int8(-1), "-1"), (Int16(2), "2"), (Int32(3), "3"),
        (Int64(4), "4"), (UInt(5), "5"), (UInt8(6), "6"), (UInt16(7), "7"), (UInt32(8), "8"),
        (UInt64.max, "18446744073709551615"), (1.5, "1.5"), (Float(0.1), "0.1"), (1e21, "1e+21"), (-0.0, "-0.0"),
        (Decimal(string: "12345678901234567890.5")!, "12345678901234567890.5"), (true, "true"),
        (URL(string: "https://h.example/a?b=c")!, "https://h.example/a?b=c"),
        (UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        (Data([0xFB, 0xFF]), "+/8="), (Data(), ""), (Date(timeIntervalSince1970: 0), "1970-01-01T00:00:00Z"),
        (Date(timeIntervalSince1970: 0.25), "1970-01-01T00:00:00.250Z"), (Hue.green, "green"), (Level.high, "10"),
        (String?.some("x"), "x"), (Date?.some(Date(timeIntervalSince1970: 1)), "1970-01-01T00:00:01Z"),
    ]

    @Test(arguments: scalars)
    func `A scalar has the same format everywhere`(value: any Encodable & Sendable, text: String) throws {
        func queries(_ value: some Encodable & Sendable) throws -> [String] {
            try [["v": value], ["v": [value]], Parameters(["v": value]), ["v": ["k": value]]].map { try Self.query($0) }
        }
        let seen = try queries(value)
        #expect(seen == ["v=\(text)", "v=\(text)", "v=\(text)", "v[k]=\(text)"])
    }

    private static let absent: [Parameters] = [
        ["v": nil], ["v": Int?.none as any Encodable & Sendable], ["v": [Int?.none]], ["v": ["k": String?.none]],
        ["v": [String: Int]()], [:], Parameters([String: Int]()), Parameters([Int]()), ["v": [[Int]]()],
    ]

    @Test(arguments: absent) func `Nil and empty values write nothing`(parameters: Parameters) throws {
        let url = try Route.get("http://h.example/x").query(parameters).urlRequest().url
        #expect(url?.absoluteString == "http://h.example/x")
    }

    private static let dictionaries: [(any Encodable & Sendable, String)] = [
        (["b": 1, "a": 2, "ä": 3, "B": 4], "d[B]=4&d[a]=2&d[b]=1&d[ä]=3"),
        ([10: "x", 9: "y", -1: "z"], "d[-1]=z&d[9]=y&d[10]=x"),
        ([UInt8(3): 1], "d[3]=1"),
        ([Hue.red: 1, Hue.green: 2], "d[green]=2&d[red]=1"),
        ([Level.high: 1], "d[10]=1"),
        ([Tag(name: "b"): 1, Tag(name: "a"): 2], "d[tag-a]=2&d[tag-b]=1"),
        (["a": ["c": 1, "b": 2]], "d[a][b]=2&d[a][c]=1"),
    ]

    @Test(arguments: dictionaries)
    func `Dictionaries are sorted by their keys of any type`(
        dictionary: any Encodable & Sendable, query: String
    ) throws { for _ in 1...5 { #expect(try Self.query(["d": dictionary]) == query) } }

    /// The expected query with indices, which show the sorted order.
    private static let sets: [(@Sendable () -> any Encodable & Sendable, String)] = [
        (
            { Set((1...12).shuffled()) },
            [1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9].enumerated().map { "s[\($0)]=\($1)" }.joined(separator: "&")
        ),
        ({ Set(["b", "a", "B", "c d", "c-d"].shuffled()) }, "s[0]=B&s[1]=a&s[2]=b&s[3]=c d&s[4]=c-d"),
        ({ Set([true, false].shuffled()) }, "s[0]=false&s[1]=true"),
        ({ Set([Hue.red, .green].shuffled()) }, "s[0]=green&s[1]=red"),
        (
            { Set([[2, 1], [1, 3], [1, 2]].shuffled()) }, "s[0][0]=1&s[0][1]=2&s[1][0]=1&s[1][1]=3&s[2][0]=2&s[2][1]=1"
        ),
        ({ Set([Set([3, 2].shuffled()), [1]].shuffled()) }, "s[0][0]=1&s[1][0]=2&s[1][1]=3"),
        ({ ["k": [Set(["y", "x", "z"].shuffled())]] }, "s[k][0][0]=x&s[k][0][1]=y&s[k][0][2]=z"),
        ({ Set<Int>() }, ""),
    ]

    @Test(arguments: sets.indices)
    func `Sets are sorted by the written form of their elements at any depth`(index: Int) throws {
        let (set, query) = Self.sets[index]
        let dialect = QueryDialect(arrays: .indexed)
        for _ in 1...20 {
            let route = Route.post("http://h.example").parameters(["s": set()]).encoding(.form).dialect(dialect)
            let form = try route.urlRequest().httpBody?.text?.replacing("+", with: " ").removingPercentEncoding ?? ""
            let seen = [try Self.query(["s": set()], dialect), form]
            #expect(seen == [query, query])
        }
    }

    @Test func `Parameters keep their order, also around elements that are left out or fail`() throws {
        var parameters: Parameters = ["z": 1, "a": 2, "m": 3]
        parameters.append(contentsOf: Parameters(Person(name: "N")))
        parameters.append("a", 4)
        let nested: Parameters = ["o": ["z": 1, "a": ["y": 2, "b": 3] as Parameters] as Parameters]
        let seen = try [
            Self.query(parameters), Self.query(nested), Self.query(["a": [1, nil, 3]], QueryDialect(arrays: .indexed)),
            // The partial output of a failed element is discarded.
            Self.query(["first": 0, "t": Tolerant()]),
        ]
        #expect(
            seen == [
                "z=1&a=2&m=3&full_name=N&a=4", "o[z]=1&o[a][y]=2&o[a][b]=3", "a[0]=1&a[2]=3",
                "first=0&t[first]=a&t[last]=z",
            ])
    }

    private static let styles: [(QueryDialect, fraction: Double, String)] = [
        (QueryDialect(arrays: .indexed), 0.25, "a[0]=true&a[1]=false&d=2026-01-31T12:00:00.250Z"),
        (QueryDialect(booleans: .numbers), 0.25, "a=1&a=0&d=2026-01-31T12:00:00.250Z"),
        (QueryDialect(dates: .secondsSince1970), 0.25, "a=true&a=false&d=1769860800.25"),
        (QueryDialect(dates: .secondsSince1970), 0, "a=true&a=false&d=1769860800"),
        (QueryDialect(dates: .millisecondsSince1970), 0.25, "a=true&a=false&d=1769860800250"),
        (QueryDialect(dates: .millisecondsSince1970), 0, "a=true&a=false&d=1769860800000"),
    ]

    @Test(arguments: styles)
    func `A dialect can combine any styles`(dialect: QueryDialect, fraction: Double, query: String) throws {
        let date = Date(timeIntervalSince1970: 1_769_860_800 + fraction)
        #expect(try Self.query(["a": [true, false], "d": date], dialect) == query)
    }

    // MARK: Invalid values

    private static let unencodable: [(Parameters, place: String?, reason: String)] = [
        (["size": Double.nan], "size", "nan"), (["size": Float.infinity], "size", "inf"),
        (["a": ["b": [1, -Double.infinity]]], "a.b[1]", "-inf"),
        (Parameters(["deep": [["x": Double.nan]]]), "deep[0].x", "nan"),
        (Parameters(5), nil, "needs names"), (Parameters("text"), nil, "needs names"),
        (Parameters(true), nil, "needs names"),
        (Parameters([1, 2]), "[0]", "needs names"), (Parameters(Hue.red), nil, "needs names"),
        (Parameters(Date()), nil, "needs names"), (Parameters(Data()), nil, "needs names"),
        (Parameters(Set([1])), nil, "needs names"), (["s": Set([1, Double.nan])], "s", "nan"),
        (["a": Refusing()], "a", "Reason"), (Parameters(["k": [Refusing()]]), "k[0]", "Reason"),
    ]

    @Test(arguments: unencodable)
    func `A value that a query cannot represent is an error with its coding path`(
        parameters: Parameters, place: String?, reason: String
    ) async throws {
        for route in [
            Route.get("x").parameters(parameters), .post("x").parameters(parameters).encoding(.form),
            .post("x").query(parameters),
        ] {
            let transport = StubTransport(200)
            let error = try await failure(.encoding) { try await transport.client().send(route) }
            let isNamed = "\(error)".contains(reason)
            #expect((error.codingPath, isNamed, transport.requests) == (place, true, []), "\(error)")
        }
    }
}
