import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostMocks

/// The tables are what curl 7.88.1 does with these variables.
@Suite(.inTurn) struct ProxyVariablesTests {
    private static let proxy = "http://p:1"

    private static let names: [(String, [String: String], String?)] = [
        ("http", [:], nil), ("http", ["http_proxy": proxy], "http_proxy"), ("http", ["http_proxy": ""], nil),
        ("http", ["HTTP_PROXY": proxy], nil), ("http", ["Http_Proxy": proxy], nil),
        ("http", ["https_proxy": proxy, "HTTPS_PROXY": proxy], nil),
        ("http", ["all_proxy": proxy], "all_proxy"), ("http", ["ALL_PROXY": proxy], "ALL_PROXY"),
        ("http", ["http_proxy": "", "all_proxy": proxy], "all_proxy"),
        ("http", ["all_proxy": "", "ALL_PROXY": proxy], "ALL_PROXY"), ("HTTP", ["http_proxy": proxy], "http_proxy"),
        ("HtTp", ["HTTP_PROXY": proxy, "https_proxy": proxy], nil),
        ("https", ["http_proxy": proxy, "HTTP_PROXY": proxy], nil), ("https", ["https_proxy": proxy], "https_proxy"),
        ("https", ["HTTPS_PROXY": proxy], "HTTPS_PROXY"), ("HTTPS", ["https_proxy": proxy], "https_proxy"),
        ("HTTPS", ["HTTPS_PROXY": proxy], "HTTPS_PROXY"), ("HTTPS", ["http_proxy": proxy], nil),
    ]

    @Test(arguments: names) func `The scheme decides which variable sets a proxy`(
        scheme: String, variables: [String: String], name: String?
    ) {
        #expect(ProxyVariables { variables[$0] }.name(for: "127.0.0.1", scheme: scheme) == name)
    }

    private static let exempt: [(String, [String])] = [
        (
            "127.0.0.1",
            [
                "*", "127.0.0.1", " 127.0.0.1 ", "foo,127.0.0.1", "foo 127.0.0.1", "127.0.0.1 foo", "foo, 127.0.0.1",
                "foo ,127.0.0.1", "foo,,127.0.0.1", "\t127.0.0.1", "127.0.0.1/8", "127.0.0.0/8", "127.0.0.1/0",
                "127.0.0.1/", "127.0.0.0/8x", "127.0.0.0/+8", "64.0.0.0/1",
            ]
        ),
        (
            "localhost",
            [
                "localhost", "LOCALHOST", ".localhost", "localhost.", ".localhost.", "*", "foo,localhost",
                "foo localhost",
            ]
        ),
        ("a.localhost", ["localhost", ".localhost", "a.localhost", ".a.localhost"]),
        ("[::1]", ["::1", "*", "foo,::1", "::1."]),
    ]

    private static let proxied: [(String, [String])] = [
        (
            "127.0.0.1",
            [
                "", "foo,*", "*,foo", " *", "* ", "*,", ",*", ".1", "1", "127.0.0.1.", ".127.0.0.1", "foo;127.0.0.1",
                "127.0.0.0/33", "127.0.0.0/32", "127.0.0.0/0", "127.0.0.0/", "127.0.0.0/-1", "127.0.0.0/ 8",
                "128.0.0.0/1", "0.0.1", "127.0.0", "localhost", "127.0.0.1:80", "127.0.0.01", "127.1", "[127.0.0.1]",
                "127.0.0.1\n", "foo\n127.0.0.1",
            ]
        ),
        (
            "localhost",
            [
                "..localhost", "localhost..", "host", "alhost", "local", "foo,*", "127.0.0.1", "localhost:80",
                "*.localhost", "localhost/8", ".", "..",
            ]
        ),
        ("a.localhost", ["b.localhost", "t", "127.0.0.1"]),
        ("[::1]", ["[::1]", "::1/128", "::/0", "0:0:0:0:0:0:0:1", ":1", "::0/127"]),
    ]

    @Test(arguments: [(exempt, true), (proxied, false)])
    func `The variable no_proxy exempts hosts by the rules of curl`(table: [(String, [String])], isExempt: Bool) {
        for (host, values) in table {
            for value in values {
                for name in ["no_proxy", "NO_PROXY"] {
                    let variables = ["http_proxy": Self.proxy, name: value]
                    let proxies = ProxyVariables { variables[$0] }
                    #expect((proxies.name(for: host, scheme: "http") == nil) == isExempt, "\(host), \(value)")
                }
            }
        }
    }

    @Test func `The capital NO_PROXY counts only if no_proxy is not set or empty`() {
        let all = ["http_proxy": Self.proxy, "NO_PROXY": "*"]
        #expect(ProxyVariables { all[$0] }.name(for: "localhost", scheme: "http") == nil)
        let empty = all.merging(["no_proxy": ""]) { $1 }
        #expect(ProxyVariables { empty[$0] }.name(for: "localhost", scheme: "http") == nil)
        let other = all.merging(["no_proxy": "foo"]) { $1 }
        #expect(ProxyVariables { other[$0] }.name(for: "localhost", scheme: "http") == "http_proxy")
    }

    @Test(arguments: [(["http_proxy"], true), (["ALL_PROXY", "no_proxy"], true), (["HTTP_PROXY", "no_proxy"], false)])
    func `Without the engine of mocks, any proxy is refused`(set: [String], isRefused: Bool) {
        let refusal = LoopbackGuard.refusal(ofProxy: set.contains)
        #expect((refusal != nil) == isRefused)
        #expect(refusal?.message.contains(set[0]) ?? true)
    }
}
