@Suite(.inTurn) struct MediaTypeTests {
    @Test func `The charset is a parameter of the content type`() {
        let types: [(String, String?)] = [
            ("text/html", nil), ("text/html; charset=UTF-8", "UTF-8"), ("text/html;charset=\"a;\\\"b\"", "a;\"b"),
            ("text/html; x=\"; charset=no\"", nil), ("text/html; X-CHARSET=a; ChArSeT = b ;c=d", "b"),
            ("charset=a", nil), ("text/html; charset", nil), ("text/html;; charset=a; charset=b", "a"),
        ]
        for (type, charset) in types {
            #expect(MediaType(contentType: type).charset == charset, "\(type)")
        }
    }

    /// The header may come twice; transports join its values. From RFC 9110 section 8.3 and the Fetch standard.
    @Test func `Of several types, the last valid one counts`() {
        let headers: [(String, String, String?)] = [
            ("text/html", "text/html", nil), ("text/html, text/plain", "text/plain", nil),
            ("application/json, application/json; charset=utf-8", "application/json", "utf-8"),
            ("application/json;charset=utf-8,application/json", "application/json", "utf-8"),
            ("text/plain;charset=gbk, text/html", "text/html", nil),
            ("text/html;charset=gbk, text/plain, text/html", "text/html", nil),
            ("text/plain;charset=a, text/plain;charset=b", "text/plain", "b"),
            ("text/plain, ", "text/plain", nil), (", text/plain", "text/plain", nil),
            ("text/plain, json", "text/plain", nil), ("json, text/plain", "text/plain", nil),
            ("text/html, */*;charset=gbk", "text/html", nil), ("*/*, text/html", "text/html", nil),
            ("text/html;x=\"a, text/plain\"", "text/html", nil), ("text/html;x=\", text/plain", "text/html", nil),
            ("text/html;x=\"\\\", text/css\", Text/Plain ;y", "text/plain", nil),
            ("text/html;charset=gbk, text/html;x=\",text/plain", "text/html", "gbk"),
            ("json", "json", nil), ("", "", nil), (",", "", nil), ("text/, /html, a/b/c", "text/", nil),
        ]
        for (header, type, charset) in headers {
            let found = MediaType(contentType: header)
            #expect((found.rawValue, found.charset) == (type, charset), "\(header)")
        }
    }
}
