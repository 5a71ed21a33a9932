import CallSupport

@Suite(.inTurn) struct HTTPHeadersTests {
    @Test func `Names ignore letter case, keep their order and their values, and merging replaces whole names`() {
        var headers: HTTPHeaders = ["B": "1", "A": "2"]
        headers.add("b", "3")
        #expect((headers.values(for: "B"), headers["b"]) == (["1", "3"], "1, 3"))
        var texts = [headers, headers.merging(["a": "4", "C": "5"]), headers.merging(["b": "6"])]
        headers["b"] = "4"
        texts.append(headers)
        headers["B"] = nil
        texts.append(headers)
        #expect(
            texts.map { $0.description.split(separator: "\n") } == [
                ["B: 1", "A: 2", "b: 3"], ["B: 1", "b: 3", "a: 4", "C: 5"], ["A: 2", "b: 6"], ["B: 4", "A: 2"],
                ["A: 2"],
            ])
    }

    @Test(arguments: [1, 16, 17, 100]) func `Many names are combined and merged like few`(count: Int) throws {
        var headers = HTTPHeaders()
        for number in 0..<count { headers.add(HTTPHeaders.Name(rawValue: "X-\(number)"), "a") }
        for number in 0..<count { headers.add(HTTPHeaders.Name(rawValue: "x-\(number)"), "b") }
        let route = Route { route in
            route.path = "http://h.example"
            route.headers = headers
        }
        let names = (0..<count).map { "X-\($0)" }
        let fields = try route.urlRequest().allHTTPHeaderFields
        #expect(fields == Dictionary(uniqueKeysWithValues: names.map { ($0, "a, b") }))

        var others = HTTPHeaders()
        for number in count / 2..<count { others.add(HTTPHeaders.Name(rawValue: "x-\(number)"), "c") }
        let merged = headers.merging(others)
        let values = names.map { merged[HTTPHeaders.Name(rawValue: $0)] }
        #expect(values == (0..<count).map { $0 < count / 2 ? "a, b" : "c" })
    }
}
