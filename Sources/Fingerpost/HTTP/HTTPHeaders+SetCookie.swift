extension HTTPHeaders {
    /// The values of several `Set-Cookie` fields that Foundation joined into one text, separated by commas.
    ///
    /// A comma separates two cookies if a cookie's name and `=` follow it (RFC 6265 section 4.1.1: a name is a token,
    /// and values contain no commas). A comma in a date, such as `Expires=Wed, 09 Jun 2021 10:18:14 GMT`, separates
    /// nothing.
    static func setCookieValues(in text: String) -> [String] {
        text.split(separator: /,\s*(?=[^\s=;,"]+=)/).map(String.init)
    }
}
