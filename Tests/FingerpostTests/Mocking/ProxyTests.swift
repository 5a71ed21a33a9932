import TestSupport

@testable import Fingerpost

/// Proxies of the process, which `URLSession` obeys on Linux: a test's call to this machine must not leave it.
@Suite(.inTurn) struct ProxyTests {
    @Test(
        arguments: [
            ([:], true), (["no_proxy": "x"], true), (["http_proxy": ""], true), (["http_proxy": "p:1"], false),
            (["HTTP_PROXY": "p:1"], true), (["https_proxy": "p:1"], false), (["ALL_PROXY": "p:1"], false),
            (["http_proxy": "p:1", "no_proxy": "*"], true), (["http_proxy": "p:1", "no_proxy": "*,x"], false),
            (["http_proxy": "p:1", "no_proxy": "x, 127.0.0.1"], true),
            (["http_proxy": "p:1", "no_proxy": "27.0.0.1"], false),
            (["http_proxy": "p:1", "NO_PROXY": "127.0.0.1"], true),
            (["http_proxy": "p:1", "no_proxy": "", "NO_PROXY": "127.0.0.1"], false),
        ] as [([String: String], Bool)])
    func `A call to this machine is refused if a proxy would get it`(variables: [String: String], isDirect: Bool) {
        let refusal = LoopbackGuard.refusal(ofProxyFor: "127.0.0.1") { variables[$0] }
        #expect((refusal == nil, refusal?.fix?.hasSuffix("no_proxy=127.0.0.1") ?? true) == (isDirect, true))
    }

    @Test func `A host is listed in small letters and without brackets`() {
        let variables = ["all_proxy": "p:1", "no_proxy": "localhost,::1"]
        let refused = ["LOCALHOST", "[::1]"].filter { host in
            LoopbackGuard.refusal(ofProxyFor: host) { variables[$0] } != nil
        }
        #expect(refused == [])
    }
}
