extension HTTPSyntax {
    /// The problem with a method in lower case, or with a registered one in another case (section 9.1): Foundation
    /// sends some of them in upper case and others as they are. Nil for any other.
    package static func problem(ofMethod name: String) -> FileProblem? {
        guard name.utf8.contains(where: { $0 >= UInt8(ascii: "a") && $0.isASCIILetter }) else { return nil }
        let upper = name.uppercased()
        guard registered.contains(upper) || name.isSame(as: name.lowercased()) else { return nil }
        return FileProblem("methods are case-sensitive, and servers do not know \"\(name)\"", fix: "write \(upper)")
    }

    private static let registered: Set = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
}

extension URLText {
    /// The problem with a URL whose host no server can have; nil if there is none.
    package static func problem(ofHostIn text: String) -> FileProblem? {
        guard let host = host(of: text), !isHost(host) else { return nil }
        return FileProblem(
            "has the host \(String(host).quoted), which no server can have",
            fix: "write a name with its letters as they are or as xn--…, or an address")
    }
}
