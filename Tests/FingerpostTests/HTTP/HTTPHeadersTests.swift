import Fingerpost
import Testing

@Suite struct HTTPHeadersTests {
    @Test func `Names ignore letter case`() {
        var headers: HTTPHeaders = ["content-type": "a"]
        #expect(headers[.contentType] == "a")
        headers["CONTENT-TYPE"] = "b"
        #expect(headers.count == 1)
        #expect(headers.first?.name.rawValue == "content-type")
        #expect(Set<HTTPHeaders.Name>(["ETag", "etag", "ETAG"]).count == 1)
    }

    @Test func `Names keep their order and their values`() {
        var headers: HTTPHeaders = ["B": "1", "A": "2"]
        headers.add("b", "3")
        #expect(headers.values(for: "B") == ["1", "3"])
        #expect(headers["B"] == "1, 3")
        #expect(headers.map(\.name.rawValue) == ["B", "A", "b"])
        headers["B"] = "4"
        #expect(headers.map(\.value) == ["4", "2"])
        headers["B"] = nil
        #expect(headers.values(for: "b").isEmpty)
    }

    @Test func `Merging replaces whole names`() {
        let merged = HTTPHeaders([.init("A", "1"), .init("A", "2"), .init("B", "3")]).merging(["a": "4", "C": "5"])
        #expect(merged.values(for: "A") == ["4"])
        #expect(merged["B"] == "3")
        #expect(merged["C"] == "5")
    }

    @Test(arguments: [
        "Authorization", "cookie", "Set-Cookie", "X-Api-Key", "Proxy-Authorization", "X-Auth-Token", "apikey",
    ])
    func `Credentials are not shown`(name: String) {
        var headers = HTTPHeaders()
        headers.add(HTTPHeaders.Name(rawValue: name), "s3cr3t")
        #expect(!headers.description.contains("s3cr3t"))
        #expect(headers.description.contains(name))
    }

    @Test func `Headers that are not sensitive are shown`() {
        let headers: HTTPHeaders = [.accept: "text/plain", "X-Trace": "7"]
        #expect(headers.description == "Accept: text/plain\nX-Trace: 7")
    }
}
