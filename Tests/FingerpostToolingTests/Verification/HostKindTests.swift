import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct HostKindTests {
    static let hosts = [
        (
            "the device that the app runs on",
            "localhost LOCALHOST. api.localhost 127.0.0.1 127.1 2130706433 0x7f000001 0.0.0.0 ::1 [::1] :: "
                + "::ffff:127.0.0.1"
        ),
        (
            "an address of a private network",
            "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.20 169.254.0.1 fd00::1 [fe80::1%25en0] ::ffff:192.168.0.1 "
                + "0xc0a80001 0300.0250.1.1"
        ),
        ("a name that only a local network knows", "mac.local db.internal nas.home.arpa Mac.LOCAL."),
        ("a name without a domain, which only a local network knows", "staging"),
        ("a name that is reserved for tests (RFC 6761)", "api.test"),
        ("a name that never leads to a server (RFC 6761)", "acme.invalid"),
        (
            "a name that is reserved for documentation (RFC 2606)",
            "example.com api.example.org api.example Api.Example.Net"
        ),
        (
            "",
            "api.github.com 8.8.8.8 172.32.0.1 11.0.0.1 192.169.0.1 2606:4700::1111 myexample.com example.com.br "
                + "localhost.acme.app 1.2.3.4.acme.app  . 0a00::1 7f00::1"
        ),
    ]

    @Test func `A host that users cannot reach is known`() {
        for (objection, hosts) in Self.hosts {
            for host in hosts.components(separatedBy: " ") {
                #expect(HostKind.objection(to: host) ?? "" == objection, "\(host)")
            }
        }
    }
}
