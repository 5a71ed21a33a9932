import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

/// Secrets of several lines and values: what must be found of them in a build, and what is public.
@Suite(.inTurn) struct SecretPartsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let secret: String
        /// The file in the build.
        let file: Data

        init(_ name: String, _ secret: String, _ file: String) {
            self.init(name, secret, Data(file.utf8))
        }

        init(_ name: String, _ secret: String, _ file: Data) {
            (self.name, self.secret, self.file) = (name, secret, file)
        }

        var testDescription: String { name }
    }

    // MARK: Secrets

    private static let key = KeyFixture.pem("PRIVATE KEY", KeyFixture.pkcs8)
    private static let rsa = KeyFixture.pem("RSA PRIVATE KEY", KeyFixture.rsa)
    private static let leaf = KeyFixture.pem("CERTIFICATE", KeyFixture.leaf)
    private static let chain = key + leaf + KeyFixture.pem("CERTIFICATE", KeyFixture.intermediate)
    private static let elliptic = KeyFixture.pem("EC PRIVATE KEY", KeyFixture.sec1)
    private static let apple = KeyFixture.pem("PRIVATE KEY", KeyFixture.apple)
    /// A key that is not in DER.
    private static let openSSH = KeyFixture.pem("OPENSSH PRIVATE KEY", KeyFixture.bytes(400, "ssh"), width: 70)

    private static let one = [1] + [UInt8](repeating: 0, count: 31)

    private static let account = [
        "type": "service_account", "project_id": "acme-prod-123456",
        "private_key_id": "8f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c", "private_key": key,
        "client_email": "pusher@acme-prod-123456.iam.gserviceaccount.com", "client_id": "104538292847592847561",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": "https://oauth2.googleapis.com/token",
        "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
        "client_x509_cert_url":
            "https://www.googleapis.com/robot/v1/metadata/x509/pusher%40acme-prod-123456.iam.gserviceaccount.com",
        "universe_domain": "googleapis.com",
    ]
    private static let accountFile = (try? KeyFixture.json(account)) ?? ""

    private static let awsSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    private static let settings = """
        # Settings of the server
        APP_NAME=AcmeMobileForEverybodyEverywhere
        API_URL=https://api.acme.app/v2/production
        export AWS_ACCESS_KEY_ID="AKIA2E3XQZ7B5KNW4RTD"
        AWS_SECRET_ACCESS_KEY=\(awsSecret)
        DATABASE_URL=postgres://acme:h0rse-battery@db.acme.internal:5432/acme
        SMTP_PASSWORD='Winter-is-over'
        SLACK_URL=https://hooks.slack.com/services/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
        STRIPE_PUBLISHABLE_KEY=pk_live_51HqLyjWDarjtT1zdp7dcA9B
        STRIPE_SECRET_KEY=sk_live_51HqLyjWDarjtT1zdp7dcX0Y
        MSAL_CLIENT_ID=6f1c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a4b
        """
    private static let principal = """
        { "clientId": "6f1c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a4b", "tenantId": "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
          "clientSecret": "Q~8fJ2kL9mN0pR3sT5vX7zB1dF4hK6nP8rU" }
        """

    private static func escaped(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\\n") }

    private static func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    // MARK: What must be found

    static let leaks: [Case] = [
        Case("the file of the account", accountFile, accountFile),
        Case("the key of the account, as PEM", accountFile, key),
        Case("the key of the account, as JSON", accountFile, #"{"key":"\#(escaped(key))"}"#),
        Case("the key of the account, in DER", accountFile, Data(KeyFixture.pkcs8)),
        Case("the key of the account, in one line", accountFile, KeyFixture.base64(KeyFixture.pkcs8)),
        Case("the key before certificates, as PEM", chain, key),
        Case("the key before certificates, as JSON", chain, #"{"key":"\#(escaped(key))"}"#),
        Case("the key behind certificates", leaf + key, key),
        Case("the key in the other structure, as PEM", chain, rsa),
        Case("the key in the other structure, in DER", rsa, Data(KeyFixture.pkcs8)),
        Case("the key in lines of another width", rsa, KeyFixture.pem("RSA PRIVATE KEY", KeyFixture.rsa, width: 76)),
        Case("the key in base64 once more", rsa, encoded(rsa)),
        Case("one number of the key, as in a JSON Web Key", rsa, KeyFixture.base64(KeyFixture.bytes(128, "inverse"))),
        Case("the key of a variable with \\n in it", escaped(chain), key),
        Case("the key of a variable with spaces for lines", key.replacingOccurrences(of: "\n", with: " "), key),
        Case("the key of a server with an elliptic curve", elliptic, elliptic),
        Case("the key of a server with an elliptic curve, in DER", elliptic, Data(KeyFixture.sec1)),
        Case("the key of Apple's server for push messages", apple, apple),
        Case("the key of Apple's server for push messages, as JSON", apple, #"{"p8":"\#(escaped(apple))"}"#),
        Case("the key with another structure", apple, elliptic),
        Case(
            "a key with the numbers of its curve", KeyFixture.pem("EC PRIVATE KEY", KeyFixture.explicit), elliptic),
        Case(
            "a short key", KeyFixture.pem("PRIVATE KEY", KeyFixture.ed25519),
            KeyFixture.pem("PRIVATE KEY", KeyFixture.ed25519)),
        Case("a key in one line, as PEM", KeyFixture.base64(KeyFixture.pkcs8), rsa),
        Case("a key in one line, as JSON", KeyFixture.base64(KeyFixture.apple), #"{"p8":"\#(escaped(apple))"}"#),
        Case("a key in one line of a .env file", "A=b\nKEY=\(KeyFixture.base64(KeyFixture.sec1))", elliptic),
        Case("a key of OpenSSH", openSSH, openSSH), Case("a key of OpenSSH, as JSON", openSSH, escaped(openSSH)),
        Case("a key in quotes in a .env file", "A=b\nKEY=\"\(key)\"\nB=c", key),
        Case("a key of AWS in a .env file", settings, "let key = \"\(awsSecret)\""),
        Case("the id of a key of AWS in a .env file", settings, "AKIA2E3XQZ7B5KNW4RTD"),
        Case("a secret key of Stripe in a .env file", settings, "sk_live_51HqLyjWDarjtT1zdp7dcX0Y"),
        Case("a password in a .env file", settings, "<string>Winter-is-over</string>"),
        Case("the password of a URL in a .env file", settings, "acme:h0rse-battery@"),
        Case("the path of a hook in a .env file", settings, "B05EF6GH7/aB3dE5fG7hJ9kL2mN4pQ6rS8"),
        Case("a secret in JSON", principal, "Q~8fJ2kL9mN0pR3sT5vX7zB1dF4hK6nP8rU"),
        Case("a short key in JSON", #"{ "user": "acme-12345", "apiKey": "k3y-0123" }"#, "acme:k3y-0123"),
        Case("a text with a zero in it", "abcdefghi\0jklmnopqrst", "jklmnopqrst"),
        Case("a password in JSON", #"{ "user": "acme", "password": "hunter22" }"#, "acme:hunter22"),
        Case("a token in YAML", "user: acme\ntoken: \"9f8e7d6c5b4a39281706\"\n", "9f8e7d6c5b4a39281706"),
        Case("one of several tokens", "9f8e7d6c5b4a39281706\na1b2c3d4e5f60718293a\n", "a1b2c3d4e5f60718293a"),
        Case(
            "the longer line of a phrase", "witch collapse practice feed\nshame open despair creek road again\n",
            "shame open despair creek road again"),
        Case("a value with a line break at its end", "hunter22\n", "acme:hunter22"),
    ]

    // MARK: What is public

    static let harmless: [Case] = [
        Case("the leaf certificate, pinned as PEM", chain, leaf),
        Case("the leaf certificate, pinned in DER", chain, Data(KeyFixture.leaf)),
        Case("the leaf certificate, pinned in one line", chain, KeyFixture.base64(KeyFixture.leaf)),
        Case("the intermediate certificate", chain, KeyFixture.pem("CERTIFICATE", KeyFixture.intermediate)),
        Case("a certificate that is a secret by mistake", leaf, leaf),
        Case("the public key as PEM", rsa, KeyFixture.pem("RSA PUBLIC KEY", KeyFixture.rsaPublicKey)),
        Case("the public number of the key, as in a JSON Web Key", rsa, KeyFixture.base64(KeyFixture.modulus)),
        Case("the public point of a key", elliptic, KeyFixture.base64(KeyFixture.point)),
        Case("the public point of a key in one line", KeyFixture.base64(KeyFixture.apple), Data(KeyFixture.point)),
        Case(
            "the numbers of the curve of a key in one line", KeyFixture.base64(KeyFixture.explicit),
            KeyFixture.base64(KeyFixture.curve)),
        Case("the public point of Apple's key, in DER", apple, Data(KeyFixture.certificate(KeyFixture.point))),
        Case(
            "the numbers of the curve", KeyFixture.pem("EC PRIVATE KEY", KeyFixture.explicit),
            Data(KeyFixture.curve + KeyFixture.bytes(32, "order"))),
        Case("the beginning of all keys of one kind", key, String(key.prefix(80))),
        Case("a parser of keys", key, "\0-----BEGIN PRIVATE KEY-----\0-----END PRIVATE KEY-----\0"),
        Case(
            "an OAuth client beside the account", accountFile,
            """
            { "installed": { "client_id": "104538292847592847561-abc.apps.googleusercontent.com",
              "project_id": "acme-prod-123456", "auth_uri": "https://accounts.google.com/o/oauth2/auth",
              "token_uri": "https://oauth2.googleapis.com/token",
              "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs" } }
            """),
        Case(
            "a client for Google's services beside the account", accountFile,
            EnvironmentFixture.propertyList(
                "<key>PROJECT_ID</key><string>acme-prod-123456</string>"
                    + "<key>CLIENT_ID</key><string>104538292847592847561</string>")),
        Case(
            "names of the account's values", accountFile, "service_account private_key_id auth_provider_x509_cert_url"),
        Case("the server of a .env file", settings, #"{ "help": "https://api.acme.app/v2/production" }"#),
        Case("the name of the app in a .env file", settings, "AcmeMobileForEverybodyEverywhere"),
        Case("the publishable key of a .env file", settings, "pk_live_51HqLyjWDarjtT1zdp7dcA9B"),
        Case("the id of a client in a .env file", settings, "6f1c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a4b"),
        Case(
            "the ids of an account in JSON", principal,
            "6f1c2b3a-4d5e-4f60-8a7b-9c0d1e2f3a4b 0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"),
        Case(
            "the user and the region of a key", #"{ "user": "acme-12345", "region": "eu-west-1", "key": "k3y-0123" }"#,
            "acme-12345 eu-west-1"),
        Case(
            "names in a list of keys", #"[{ "key": "environment", "value": "production" }]"#, "environment production"),
        Case(
            "a key whose number is nearly nothing",
            KeyFixture.pem("PRIVATE KEY", KeyFixture.der(0x30, KeyFixture.der(2, [0]), KeyFixture.der(4, one))),
            Data(one)),
        Case("numbers in a row", "12345678", "1234 5678\n1234\n5678 1234+5678 1234%205678 1234\\n5678"),
        Case("texts of a program, one after another", "publicserver", "\0public\0server\0"),
        Case("the beginning of a key of one kind", "sk_live_51HqLyjWDarjtT1zdp7dcX0Y", "sk_live_51HqLyjWDarjtT1z"),
    ]

    private func problems(_ item: Case) throws -> [String] {
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json":
                    #"{ "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#,
                "Environments/Staging-Env.json": nil,
            ]))
        try fixture.folder.write(item.file, to: "Acme.app/file")
        fixture.variables = ["ENV__KEY": item.secret]
        return try fixture.problems()
    }

    @Test(arguments: leaks) func `A secret part is found alone`(item: Case) throws {
        let problems = try problems(item)
        #expect(problems.count == 1 && problems[0].contains("the file contains the value of the secret \"key\""))
    }

    @Test(arguments: harmless) func `A public part is no finding`(item: Case) throws {
        #expect(try problems(item).isEmpty)
    }

    @Test(arguments: 0..<3) func `A certificate is no finding, wherever it contains the public key`(shift: Int) throws {
        for (secret, publicKey) in [
            (Self.key, KeyFixture.rsaPublicKey), (Self.rsa, KeyFixture.rsaPublicKey),
            (Self.elliptic, KeyFixture.point), (Self.apple, KeyFixture.point),
        ] {
            let certificate = KeyFixture.certificate(publicKey, shift: shift)
            for text in [KeyFixture.base64(certificate), KeyFixture.pem("CERTIFICATE", certificate)] {
                #expect(try problems(Case("", secret, text)).isEmpty)
            }
        }
    }

    @Test func `In a dictionary that is a secret, what is public is no finding`() throws {
        let account = try KeyFixture.json(["account": Self.account])
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Staging-Env.json": nil, "oauth.json": Self.account["auth_uri"] ?? "",
            ]).merging([
                "Project/Environments/Production-Env.json": BuiltFixture.production.replacingOccurrences(
                    of: "{", with: #"{ "$secrets": ["account"], "$optional": ["account"], "#),
                "Project/Environments/Production-Secrets.json": account,
            ]) { $1 })
        fixture.options.source = "Project"
        let isSecret = { (problem: String) in problem.contains("the file contains the value of the secret") }
        #expect(try !fixture.problems().contains(where: isSecret))
        try fixture.folder.write(Data(Self.key.utf8), to: "Acme.app/key.pem")
        let problem = try #require(try fixture.problems().first(where: isSecret))
        #expect(problem.hasPrefix("Acme.app/key.pem:"))
        #expect(problem.contains("the secret \"account.private_key\""))
    }

    @Test func `A secret that contains nothing but what is public is named`() throws {
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json":
                    #"{ "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#,
                "Environments/Staging-Env.json": nil,
            ]))
        fixture.variables = ["ENV__KEY": Self.leaf]
        #expect(
            try fixture.text().contains("Note: Not searched for, because nothing in them looks secret: key."))
    }
}
