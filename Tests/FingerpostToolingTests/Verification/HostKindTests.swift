import TestSupport
import Testing

@testable import FingerpostTooling

@Suite(.inTurn) struct HostKindTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "api.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001",
        "0177.0.0.1", "0.0.0.0", "::1", "[::1]", "::", "::ffff:127.0.0.1", "[0:0:0:0:0:0:0:1]", "::ffff:7f00:1",
        "0x7f.1", "017700000001", "127.255.255.254", "2002:7f00:1::1",
    ]) func `This machine`(host: String) {
        #expect(HostKind.objection(to: host) == "the device that the app runs on")
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.20", "169.254.0.1", "100.64.0.1", "10.1", "fd00::1",
        "fe80::1", "[fe80::1%25en0]", "::ffff:192.168.0.1", "0xc0a80001", "[fec0::1]", "2002:c0a8:1::1",
        "2002:0a00:0001::", "64:ff9b:1::1", "fdff:ffff::1", "100.127.255.255", "0300.0250.1.1",
    ]) func `Private addresses`(host: String) {
        #expect(HostKind.objection(to: host) == "an address of a private network")
    }

    /// The blocks of the registries of special addresses (RFC 6890), and those that are no addresses of one server.
    @Test(arguments: [
        "0.1.2.3", "192.0.0.1", "192.0.0.170", "192.88.99.1", "198.18.0.1", "198.19.255.255", "224.0.0.1",
        "239.255.255.250", "240.0.0.1", "255.255.255.255", "0xe0000001", "100::1", "100:0:0:1::1", "2001:2::1",
        "2001::1",
        "2001:10::1", "5f00::1", "ff02::1", "[ff0e::1]", "::5.6.7.8", "4000::1", "2002:e000:1::1", "::ffff:198.18.0.1",
    ]) func `Addresses without a server`(host: String) {
        #expect(HostKind.objection(to: host) == "an address that no server on the internet has")
    }

    @Test(arguments: [
        ("192.0.2.1", "RFC 5737"), ("198.51.100.7", "RFC 5737"), ("203.0.113.9", "RFC 5737"),
        ("2001:db8::1", "RFC 3849"),
        ("3fff::1", "RFC 9637"), ("::ffff:192.0.2.1", "RFC 5737"), ("0xcb007109", "RFC 5737"),
    ]) func `Addresses for documentation`(host: String, rule: String) {
        #expect(HostKind.objection(to: host) == "an address that is reserved for documentation (\(rule))")
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
        "192.0.0.9", "192.0.0.10", "192.31.196.1", "192.52.193.1", "192.175.48.1", "198.17.255.255", "198.20.0.1",
        "223.255.255.255", "1.0.0.1", "2001:1::1", "2001:1::3", "2001:3::1", "2001:4:112::1", "2001:20::1",
        "2001:30::1",
        "2001:200::1", "2001:4860:4860::8888", "2620:4f:8000::1", "2002:0808:0808::1", "3ffe::1", "::ffff:8.8.8.8",
        "0x08080808", "64:ff9b::8.8.8.8", "100.128.0.1", "169.253.0.1", "172.15.0.1", "126.0.0.1", "08.8.8.8",
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
