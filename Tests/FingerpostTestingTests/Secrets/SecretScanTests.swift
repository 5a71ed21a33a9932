@testable import FingerpostTesting

@Suite(.inTurn) struct SecretScanTests {
    private static let jwt =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"

    @Test(
        arguments: [
            (#"{"t": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}"#, "a GitHub token"),
            ("github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz", "a GitHub token"),
            ("AKIA2E0A8F3B244C9986", "an AWS access key"),
            ("xoxb-2444333222111-abcdefGHIJKL", "a Slack token"),
            ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "a Stripe key"),
            ("AIzaSyD3lk4jfDk39dkfj3kdlfj39dkfjsl39dk", "a Google API key"),
            (jwt, "a JSON Web Token"),
            (#"\n\#(jwt)"#, "a JSON Web Token"),
            ("Authorization: Bearer mF_9.B5f-4.1JqM0123", "a bearer token"),
            ("-----BEGIN RSA PRIVATE KEY-----", "a private key"),
            ("-----BEGIN PRIVATE KEY-----", "a private key"),
            // Text that only resembles a credential is not reported.
            ("ghp_short", nil), ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", nil), ("Bearer <redacted>", nil),
            ("Bearer token", nil), ("eyJhbGciOiJIUzI1NiJ9", nil), ("-----BEGIN PUBLIC KEY-----", nil),
            ("task_live_4eC39HqLyjWDarjtT1zdp7dc", nil), ("AKIA", nil), ("eyJ0123456789abcdefghij.x.y", nil),
            (#"{"login": "octocat", "url": "https://api.github.com/users/octocat"}"#, nil), ("", nil),
        ] as [(String, String?)])
    func `A credential is found by its format and named by its kind`(_ line: String, _ kind: String?) {
        let matches = SecretScan([]).matches(in: Data("first\n\(line)\nlast".utf8)).map { "\($0.line) \($0.kind)" }
        // Nothing follows the text.
        let alone = SecretScan([]).matches(in: Data(line.utf8)).map(\.kind)
        #expect((matches, alone) == (kind.map { ["2 \($0)"] } ?? [], kind.map { [$0] } ?? []))
    }

    @Test func `Secrets of environments are found plain, percent-encoded and in Base64`() throws {
        let folder = try TemporaryFolder([
            "Live-Env.json": #"{"description": "Live", "$secrets": ["a.key"], "a": {"key": null}}"#,
            "Live-Secrets.json": #"{"a": {"key": "p@ss word"}}"#,
        ])
        let environment = try Environment.load("Live", from: folder.url)
        let forms = ["p@ss word", "p%40ss%20word", Data("p@ss word".utf8).base64EncodedString(), "<secret a.key>"]
        let kinds = forms.map { form in SecretScan([environment]).matches(in: Data("x \(form) y".utf8)).map(\.kind) }
        let kind = "the secret \"a.key\" of the environment Live"
        #expect(kinds == [[kind], [kind], [kind], []])
    }
}
