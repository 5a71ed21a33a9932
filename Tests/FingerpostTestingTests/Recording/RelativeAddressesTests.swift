@testable import FingerpostTesting

/// Addresses of the recorded server in headers.
@Suite(.inTurn) struct RelativeAddressesTests {
    private static let environment = try! Environment(
        "Live",
        values: [
            "$secrets": ["hidden.baseURL"], "baseURL": "https://api.example/v3/",
            "docs": "https://docs.example", "server": "https://api.example/v4",
            "v3": ["baseURL": "https://api.example/v3"], "uploads": ["baseURL": "https://uploads.example:8443?key=1"],
            "users": ["baseURL": "https://api.example/v3/users"], "hidden": ["baseURL": "https://hidden.example"],
        ])

    private static let request = URLRequest(url: URL(string: "https://api.example/v3/issues")!)

    /// Each address with the one that is recorded; nil if it is the same.
    @Test(
        arguments: [
            ("https://api.example/v3/issues?page=2&a=%2F#x", "{env.baseURL}/issues?page=2&a=%2F#x"),
            ("https://api.example/v3/x?page[number]=2|3&q=a b", "{env.baseURL}/x?page[number]=2|3&q=a b"),
            ("https://api.example/v3", "{env.baseURL}"), ("https://api.example/v3/", "{env.baseURL}/"),
            ("https://api.example/v3?page=2", "{env.baseURL}?page=2"),
            ("HTTPS://API.example:443/v3/x", "{env.baseURL}/x"),
            ("https://api.example/v3/users/1", "{env.users.baseURL}/1"),
            ("https://uploads.example:8443/1", "{env.uploads.baseURL}/1"),
            ("https://uploads.example/1", nil), ("https://api.example/v30/issues", nil), ("https://api.example", nil),
            ("http://api.example/v3/x", nil), ("https://api.example.evil/v3/x", nil),
            // A base URL whose key does not say so, and which is not that of the call.
            ("https://api.example/v4/x", nil), ("https://docs.example/x", nil), ("https://hidden.example/x", nil),
            ("/v3/issues", nil), ("issues", nil), ("?page=2", nil), ("", nil), ("mailto:a@b", nil),
        ] as [(String, String?)])
    func `An address below a base URL is recorded relative to it`(address: String, recorded: String?) {
        let addresses = RelativeAddresses(Self.environment, Self.request)
        let text = recorded ?? address
        let links = [
            "<\(address)>; rel=\"next\"", "<\(address)>; rel=a, <x>; title=\"a, b\", <\(address)>",
            "<\(address)>; anchor=\"\(address)\"; rel=next",
        ]
        let found = (
            addresses.header(.location, address), links.map { addresses.header(.link, $0) },
            addresses.header(.etag, address), RelativeAddresses(nil, Self.request).header(.location, address)
        )
        #expect(
            found == (
                text,
                [
                    "<\(text)>; rel=\"next\"", "<\(text)>; rel=a, <x>; title=\"a, b\", <\(text)>",
                    "<\(text)>; anchor=\"\(text)\"; rel=next",
                ], address, address
            ))
    }

    /// Each path of a route with the one that a recording is for.
    @Test(
        arguments: [
            ("https://api.example/v3/issues?page=2", "/issues"), ("https://api.example/v3", ""),
            ("HTTPS://API.example:443/v3/a%2Fb", "/a%2Fb"), ("https://uploads.example:8443/up/1?key=2", "/up/1"),
            ("https://api.example/v30/issues", "/v30/issues"), ("https://docs.example/x", "/x"),
            ("v3/issues?page=2", "v3/issues"), ("/v3/issues", "/v3/issues"),
        ] as [(RoutePath, String)])
    func `The path of an absolute URL is that below a base URL`(path: RoutePath, recorded: String) {
        #expect(RelativeAddresses(Self.environment, Self.request).path(of: path) == recorded)
    }

    @Test func `The base URL of the call counts whatever its key`() throws {
        let request = URLRequest(url: try #require(URL(string: "https://api.example/v4/issues?page=1")))
        let addresses = RelativeAddresses(Self.environment, request)
        #expect(addresses.header(.location, "https://api.example/v4/issues/1") == "{env.server}/issues/1")
    }
}
