import FingerpostFiles
import Testing

@Suite struct URLTextTests {
    @Test(
        arguments: [
            "localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "[::1]",
        ])
    func `Names and addresses of this machine are recognized`(host: String) {
        #expect(URLText.isLoopback(host))
    }

    /// Hosts that a resolver might look up, and addresses of other machines.
    @Test(
        arguments: [
            "127.-0.0.1", "127.+0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0", "127.1", "0127.0.0.1", "127.0.0.1.",
            "127.0.0.0x1", "127..0.1", "127.0.0.1.example.com", "127.0.0. 1", "", "localhost.", "localhost.example.com",
            "notlocalhost", "128.0.0.1", "0.0.0.0", "::2", "[::1", "::ffff:127.0.0.1", "127.0.0.\u{661}",
        ])
    func `Any other host is not this machine`(host: String) {
        #expect(!URLText.isLoopback(host))
    }
}
