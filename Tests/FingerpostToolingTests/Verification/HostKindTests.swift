import Testing

@testable import FingerpostTooling

@Suite struct HostKindTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "api.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001",
        "0177.0.0.1", "0.0.0.0", "::1", "[::1]", "::", "::ffff:127.0.0.1",
    ]) func `This machine`(host: String) {
        #expect(HostKind.objection(to: host) == "the device that the app runs on")
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.20", "169.254.0.1", "100.64.0.1", "10.1", "fd00::1",
        "fe80::1", "[fe80::1%25en0]", "::ffff:192.168.0.1",
    ]) func `Private addresses`(host: String) {
        #expect(HostKind.objection(to: host) == "an address of a private network")
    }

    @Test(arguments: [
        "api.test", "api.example", "example.com", "api.example.org", "acme.invalid", "mac.local", "db.internal",
        "nas.home.arpa", "staging", "192.0.2.1", "203.0.113.9", "2001:db8::1", "Mac.LOCAL.",
    ]) func `Reserved and local names`(host: String) {
        #expect(HostKind.objection(to: host) != nil)
    }

    @Test(arguments: [
        "api.github.com", "8.8.8.8", "172.32.0.1", "11.0.0.1", "2606:4700::1111", "myexample.com", "example.com.br",
        "latest.acme.app", "localhost.acme.app", "0xacme.app", "1.2.3.4.acme.app", "", ".", "xn--bcher-kva.example.de",
    ]) func `Public hosts`(host: String) {
        #expect(HostKind.objection(to: host) == nil && HostKind.doubt(about: host) == nil)
    }

    @Test(arguments: [
        ("api.lan", "a name that is used in local networks alone"),
        ("api.acme.corp", "a name that is used in local networks alone"),
        ("NAS.Home.", "a name that is used in local networks alone"),
        ("wiki.intranet", "a name that is used in local networks alone"),
        ("db.private", "a name that is used in local networks alone"),
        ("[64:ff9b::10.0.0.1]", "an address of a private network"),
        ("64:ff9b::7f00:1", "the device that the app runs on"),
        ("a1.ngrok.io", "the name of a tunnel to a developer's machine"),
        ("a1.ngrok-free.app", "the name of a tunnel to a developer's machine"),
        ("a.b.trycloudflare.com", "the name of a tunnel to a developer's machine"),
        ("x.loca.lt", "the name of a tunnel to a developer's machine"),
        ("10.0.0.1.nip.io", "a name for an address, which is for development"),
        ("app.192-168-1-2.sslip.io", "a name for an address, which is for development"),
    ]) func `Hosts that users probably cannot reach`(host: String, doubt: String) {
        #expect(HostKind.objection(to: host) == nil && HostKind.doubt(about: host) == doubt)
    }

    @Test(arguments: [
        "64:ff9b::8.8.8.8", "lan.acme.app", "corp", "ngrok.com", "myngrok.io", "nip.io.acme.app", "home.arpa.acme.app",
    ]) func `Hosts that only look like them`(host: String) {
        #expect(HostKind.doubt(about: host) == nil)
    }
}
