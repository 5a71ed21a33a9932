/// The same texts are URLs on every system, although `URL(string:)` accepts more of them on newer systems.
@Suite(.inTurn) struct URLTextTests {
    @Test(
        arguments: [
            "https://h.example", "HTTPS://h.example:8080/a/b?q=1&r=%20#top", "https://user:p%40ss@h.example/",
            "https://[::1]:8080/a", "https://h.example/a?b=/?:@-._~!$&'()*+,;=", "ftp://h", "a+b-c.d://h",
            "https://h:/", "https://", "https://h/#", "https://127.0.0.1/a%2Fb",
        ])
    func `Texts by the grammar of RFC 3986 are URLs`(text: String) {
        #expect(URLText.url(text)?.absoluteString == text)
    }

    @Test(
        arguments: [
            "https://h.example/{id}", "https://h.example/a b", "https://h.example/a?q=ä", "https://bücher.example",
            "https://h.example/a[0]", "https://h.example/%zz", "https://h.example/%2", "https://h.example/a#b#c",
            "https://[::1", "https://[host]/", "https://a@b@c/", "https://h:80:90/", "https://h:port/", "https://h\\a",
            "1https://h.example", "://h.example", "https:h", "mailto:a@b.example", "h.example", "",
            "https://h.example/\"",
        ])
    func `Texts with other characters are not`(text: String) {
        #expect(URLText.url(text) == nil)
    }

    @Test func `A URL without an authority counts where a URL is asked for`() {
        #expect(URLText.absolute("mailto:a@b.example") != nil && URLText.absolute("myapp:callback?a=b#c") != nil)
        #expect((URLText.absolute("callback"), URLText.absolute("mailto:a b")) == (nil, nil))
    }

    @Test(
        arguments: ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "[::1]"])
    func `Names and addresses of this machine are recognized`(host: String) {
        #expect(URLText.isLoopback(host))
    }

    /// Hosts that a resolver might look up, and addresses of other machines.
    @Test(
        arguments: [
            "127.-0.0.1", "127.+0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0", "127.1", "0127.0.0.1", "127.0.0.1.",
            "127.0.0.0x1", "127..0.1", "127.0.0.1.example.com", "127.0.0. 1", "", "localhost.", "localhost.example.com",
            "notlocalhost", "api.localhost", "localhost.localhost", "128.0.0.1", "0.0.0.0", "::2", "[::1",
            "::ffff:127.0.0.1", "127.0.0.\u{661}",
        ])
    func `Any other host is not this machine`(host: String) {
        #expect(!URLText.isLoopback(host))
    }
}
