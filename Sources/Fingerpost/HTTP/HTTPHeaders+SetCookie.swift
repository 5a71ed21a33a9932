extension HTTPHeaders {
    /// The values of several `Set-Cookie` fields that Foundation joined into one text, separated by commas.
    ///
    /// A comma separates two cookies if a cookie's name and `=` follow it (RFC 6265 section 4.1.1: a name is a token,
    /// and values contain no commas). A comma in a date, such as `Expires=Wed, 09 Jun 2021 10:18:14 GMT`, separates
    /// nothing.
    static func setCookieValues(in text: String) -> [String] {
        var values: [String] = []
        var start = text.startIndex
        var rest = text.utf8[...]
        while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
            rest = rest[text.utf8.index(after: comma)...]
            let name = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let end = name.firstIndex { " \t=;,\"".utf8.contains($0) }
            guard let end, end > name.startIndex, name[end] == UInt8(ascii: "=") else { continue }
            if start < comma { values.append(String(text[start..<comma])) }
            start = name.startIndex
        }
        if start < text.endIndex { values.append(String(text[start...])) }
        return values
    }
}
