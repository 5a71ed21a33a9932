import TestSupport

@testable import Fingerpost

/// Proxies of the process, which `URLSession` obeys on Linux: a test's call to this machine must not leave it.
@Suite(.inTurn) struct ProxyTests {
    @Test func `A call to this machine is refused if a proxy would get it`() {
        let rows: [([String: String], isDirect: Bool)] = [
            ([:], true), (["no_proxy": "x"], true), (["http_proxy": ""], true), (["http_proxy": "p:1"], false),
            (["HTTP_PROXY": "p:1"], true), (["https_proxy": "p:1"], false), (["ALL_PROXY": "p:1"], false),
            (["http_proxy": "p:1", "no_proxy": "*"], true), (["http_proxy": "p:1", "no_proxy": "*,x"], false),
            (["http_proxy": "p:1", "no_proxy": "x, 127.0.0.1"], true),
            (["http_proxy": "p:1", "no_proxy": "27.0.0.1"], false),
            (["http_proxy": "p:1", "NO_PROXY": "127.0.0.1"], true),
            (["http_proxy": "p:1", "no_proxy": "", "NO_PROXY": "127.0.0.1"], false),
        ]
        for (variables, isDirect) in rows {
            let refusal = LoopbackGuard.refusal(ofProxyFor: "127.0.0.1") { variables[$0] }
            let hasFix = refusal?.fix?.hasSuffix("no_proxy=127.0.0.1") ?? true
            #expect((refusal == nil, hasFix) == (isDirect, true), "\(variables)")
        }
        // A host is listed in small letters and without brackets.
        let listed = ["all_proxy": "p:1", "no_proxy": "localhost,::1"]
        for host in ["LOCALHOST", "[::1]"] {
            #expect(LoopbackGuard.refusal(ofProxyFor: host) { listed[$0] } == nil, "\(host)")
        }
    }
}
