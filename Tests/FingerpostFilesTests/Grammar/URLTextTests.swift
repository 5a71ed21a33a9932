/// The same texts are URLs on every system, although `URL(string:)` accepts more of them on newer systems.
@Suite(.inTurn) struct URLTextTests {
    @Test func `Texts by the grammar of RFC 3986 are URLs, and those with other characters are not`() {
        let texts = [
            "https://h.example", "HTTPS://h.example:8080/a/b?q=1&r=%20#top", "https://user:p%40ss@h.example/",
            "https://[::1]:8080/a", "https://h.example/a?b=/?:@-._~!$&'()*+,;=", "ftp://h", "a+b-c.d://h",
            "https://h:/", "https://", "https://h/#", "https://127.0.0.1/a%2Fb",
        ]
        #expect(texts.map { URLText.url($0)?.absoluteString } == texts)
        let others = [
            "https://h.example/{id}", "https://h.example/a b", "https://h.example/a?q=ä", "https://bücher.example",
            "https://h.example/a[0]", "https://h.example/%zz", "https://h.example/%2", "https://h.example/a#b#c",
            "https://[::1", "https://[host]/", "https://a@b@c/", "https://h:80:90/", "https://h:port/", "https://h\\a",
            "1https://h.example", "://h.example", "https:h", "mailto:a@b.example", "h.example", "",
            "https://h.example/\"",
        ]
        #expect(others.filter { URLText.url($0) != nil } == [])
    }

    @Test func `A URL without an authority counts where a URL is asked for`() {
        let texts = ["mailto:a@b.example", "myapp:callback?a=b#c", "callback", "mailto:a b"]
        #expect(texts.map { URLText.absolute($0) != nil } == [true, true, false, false])
    }

    @Test func `Names and addresses of this machine are recognized, and no other host is this machine`() {
        let own = ["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "[::1]"]
        // Hosts that a resolver might look up, and addresses of other machines.
        let others = [
            "127.-0.0.1", "127.+0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0", "127.1", "0127.0.0.1", "127.0.0.1.",
            "127.0.0.0x1", "127..0.1", "127.0.0.1.example.com", "127.0.0. 1", "", "localhost.", "localhost.example.com",
            "notlocalhost", "api.localhost", "localhost.localhost", "128.0.0.1", "0.0.0.0", "::2", "[::1",
            "::ffff:127.0.0.1", "127.0.0.\u{661}",
        ]
        #expect((own + others).filter(URLText.isLoopback) == own)
    }
}
