import CallSupport

@Suite(.inTurn) struct HTTPHeadersTests {
    @Test func `Names ignore letter case`() {
        var headers: HTTPHeaders = ["content-type": "a"]
        #expect(headers[.contentType] == "a")
        headers["CONTENT-TYPE"] = "b"
        #expect(headers.count == 1 && headers.first?.name.rawValue == "content-type")
        #expect(Set<HTTPHeaders.Name>(["ETag", "etag", "ETAG"]).count == 1)
    }

    @Test func `Names keep their order and their values`() {
        var headers: HTTPHeaders = ["B": "1", "A": "2"]
        headers.add("b", "3")
        #expect(headers.values(for: "B") == ["1", "3"] && headers["B"] == "1, 3")
        #expect(headers.map(\.name.rawValue) == ["B", "A", "b"])
        headers["B"] = "4"
        #expect(headers.map(\.value) == ["4", "2"])
        headers["B"] = nil
        #expect(headers.values(for: "b").isEmpty)
    }

    @Test func `Merging replaces whole names`() {
        let merged = HTTPHeaders([.init("A", "1"), .init("A", "2"), .init("B", "3")]).merging(["a": "4", "C": "5"])
        #expect(merged.values(for: "A") == ["4"] && merged["B"] == "3" && merged["C"] == "5")
    }

    @Test(arguments: [1, 16, 17, 100]) func `Many names are combined and merged like few`(count: Int) throws {
        var headers = HTTPHeaders()
        for number in 0..<count { headers.add(HTTPHeaders.Name(rawValue: "X-\(number)"), "a") }
        for number in 0..<count { headers.add(HTTPHeaders.Name(rawValue: "x-\(number)"), "b") }
        let route = Route { route in
            route.path = "http://h.example"
            route.headers = headers
        }
        let fields = try #require(try route.urlRequest().allHTTPHeaderFields)
        #expect(fields.count == count)
        for number in 0..<count { #expect(fields["X-\(number)"] == "a, b") }

        var others = HTTPHeaders()
        for number in count / 2..<count { others.add(HTTPHeaders.Name(rawValue: "x-\(number)"), "c") }
        let merged = headers.merging(others)
        for number in 0..<count {
            #expect(merged[HTTPHeaders.Name(rawValue: "X-\(number)")] == (number < count / 2 ? "a, b" : "c"))
        }
    }

    @Test func `Headers that are not sensitive are shown`() {
        let headers: HTTPHeaders = [.accept: "text/plain", "X-Trace": "7"]
        #expect(headers.description == "Accept: text/plain\nX-Trace: 7")
    }
}
