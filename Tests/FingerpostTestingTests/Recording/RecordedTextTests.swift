import FingerpostFiles

@testable import FingerpostTesting

/// What recordings leave out of text that is neither JSON, a form nor a stream, and of bytes that are no text.
@Suite(.inTurn) struct RecordedTextTests {
    private static func studio(_ type: String, _ body: Data) throws -> RecorderFixture {
        try RecorderFixture(
            handler: { _, connection in connection.respond(200, headers: ["Content-Type": type], body: body) },
            configure: { $0.authorization = .bearer("sent-1/23") })
    }

    /// Media types, and the body that a server sent. The line says why nothing is written: the number of the line of
    /// the body and the name. A body without one is recorded as it is.
    private static let answers = WrittenCase.table(
        #"""
        application/xml, of AWS
        sent = <Credentials>↵<AccessKeyId>id-1</AccessKeyId>↵ <SecretAccessKey>abcdefgh</SecretAccessKey></Credentials>
        3 SecretAccessKey

        application/xml, elements with a namespace and attributes
        sent = <a:grant xmlns:a="urn:a"><a:access_token type="x">abcdefgh</a:access_token></a:grant>
        1 access_token

        application/xml, CDATA
        sent = <a>↵<clientSecret> <![CDATA[abc<d>efg]]></clientSecret></a>
        2 clientSecret

        application/xml, an attribute
        sent = <user name="Ann"↵ sessionToken='abcdefgh'/>
        2 sessionToken

        application/xml, the id of a key
        sent = <AccessKey><AccessKeyId>AKIAEXAMPLE1</AccessKeyId><Status>Active</Status></AccessKey>

        text/xml, a value inside
        sent = <c><setting name="ApiKey" as="String"><value>abcdefgh</value></setting></c>
        1 ApiKey

        text/xml, a pair
        sent = <m><name>client_secret</name><value><string>abcdefgh</string></value></m>
        1 client_secret

        text/xml, resources of Android
        sent = <r><string name="title">Plain-title</string><string name="access_token">abcdefgh</string></r>
        1 access_token

        text/xml, without a type that says so, in Latin-1
        sent = <a><note>gr\xFC\xDFe</note><password>abcdefgh</password></a>
        1 password

        text/xml, words about a password, and harmless names
        sent = <e><password>is too short</password><nextPageToken>abcdefghij</nextPageToken><token>short</token></e>

        text/xml, keys of objects
        sent = <Contents><Key>photos/token.png</Key><Key>token</Key><Size>1234567890</Size></Contents>

        text/html, an input
        sent = <form>↵<input type="hidden" name="csrf_token" value="abcdefgh"></form>
        2 csrf_token

        text/html, an input, the value first
        sent = <input value=abcdefgh name=authenticity_token>
        1 authenticity_token

        text/html, a meta element
        sent = <head><meta name="csrf-token" content="abcdefgh" /></head>
        1 csrf-token

        text/html, of WordPress
        sent = <input type="hidden" id="_wpnonce" name="_wpnonce" value="a1b2c3d4e5" />
        1 _wpnonce

        text/html, an attribute
        sent = <div data-api-token="abcdefgh"></div>
        1 data-api-token

        text/html, a page to sign in
        sent = <label for="password">Password</label><input name="password" type="password" value="">↵
        ↵<a name="password">Forgotten-password</a><button name="reset_password">Reset password</button>

        text/html, a template
        sent = <input name="csrf_token" value="{{ csrf_token }}"><p>Write <password> and not-this</p>

        text/plain, HTML without its type
        sent = <input name="csrf_token" value="abcdefgh">
        1 csrf_token

        application/x-plist, a text
        sent = <plist><dict><key>user</key><string>Ann-Example</string>↵<key>token</key>↵<string>abcdefgh</string></dict></plist>
        3 token

        application/x-plist, a list
        sent = <dict><key>api_keys</key><array><string>short</string><string>abcdefgh</string></array></dict>
        1 api_keys

        application/x-plist, harmless keys
        sent = <dict><key>token</key><string>short</string><key>title</key><string>abcdefgh</string></dict>

        text/csv, a column
        sent = id,access_token,name↵1,abcdefgh,Ann↵
        2 access_token

        text/csv, quotes, and a separator of spreadsheets
        sent = sep=;↵"id";"client secret"↵"a;b";"short"↵"a""↵b";"abcdefgh"↵
        5 client secret

        text/csv, a comment
        sent = # of today, by Ann↵id,token↵1,abcdefgh↵
        3 token

        text/csv, one column
        sent = token↵short↵abcdefgh↵
        3 token

        text/csv, names and values
        sent = user,Ann↵password,abcdefgh↵
        2 password

        text/tab-separated-values, a column
        sent = id\tapi_key↵1\tabcdefgh↵
        2 api_key

        text/plain, a table
        sent = id|secret↵1|abcdefgh↵
        2 secret

        text/csv, other columns
        sent = id,token_type,name↵1,bearer-token,Ann-Example↵

        text/plain, an address, which a JSONDecoder reads as a number
        sent = 203.0.113.7↵

        text/plain, sentences
        sent = The token, and the key↵are invalid, abcdefghij↵The password: wrong-word↵

        application/yaml, a key
        sent = user: Ann↵client_secret: "abcdefgh" # secret↵
        2 client_secret

        text/yaml, nested
        sent = a:↵  - token:↵      value: abcdefgh↵
        3 token

        text/yaml, a block
        sent = private_key: |↵  abcdefgh↵  ijkl↵a: b↵
        2 private_key

        text/yaml, variables
        sent = env:↵  - name: API_TOKEN↵    value: abcdefgh↵
        3 API_TOKEN

        text/plain, keys of a file
        sent = [default]↵# a comment↵csrf = abcdefgh↵
        3 csrf

        text/yaml, other keys
        sent = token: short↵tokens:↵title: abcdefgh↵list:↵  - abcdefgh↵at: 12:00:00.000↵
        """#)

    @Test(arguments: answers)
    func `Text with a value under the name of a credential is not recorded`(_ answer: WrittenCase) async throws {
        let type = String(answer.name.prefix { $0 != "," })
        let sent = Self.bytes(answer.variables["sent"] ?? "")
        let studio = try Self.studio(type, sent)
        let received = try await studio.client.data(for: RecorderFixture.API.page)
        guard let expected = answer.expected.first else {
            let found = try (received, Array(studio.bodies().values))
            #expect(found == (sent, [String(decoding: sent, as: UTF8.self)]), "\(studio.lines())")
            return
        }
        let (line, name) = (expected.prefix { $0 != " " }, expected.drop { $0 != " " }.dropFirst())
        let file = "page" + (MediaType(contentType: type).fileExtension.map { ".\($0)" } ?? "")
        let reason =
            "not written: the answer to GET /page: line \(line) of the body has a value with the name \(name), "
            + "which cannot be removed; write \(file) by hand, with a made-up value"
        let outcome = try (received, studio.lines(), studio.files())
        #expect(outcome == (sent, [reason], [:]))
    }

    /// The bytes of a text, with `\t` and escapes such as `\xFC`.
    private static func bytes(_ text: String) -> Data {
        let parts = text.replacing("\\t", with: "\t").components(separatedBy: "\\x")
        return parts.dropFirst().reduce(Data(parts[0].utf8)) { data, part in
            data + [UInt8(part.prefix(2), radix: 16) ?? 0] + Data(part.dropFirst(2).utf8)
        }
    }

    @Test func `Messages of an error are recorded, and its credentials are not`() async throws {
        let body = #"{"errors": {"password": ["is too short", "hunter-22"], "token": "t-1"}}"#
        let studio = try RecorderFixture(answers: [(422, "application/json", body)])
        _ = try? await studio.client.data(for: RecorderFixture.API.page)
        let recorded = #"{"errors": {"password": ["is too short", "<redacted>"], "token": "<redacted>"}}"#
        #expect(try studio.bodies() == ["page.422.json": recorded])
    }

    // MARK: Bytes

    /// A film: every byte is one that no text in UTF-8 has. Repairing each would take longer than a test may.
    private static func film(_ size: Int, _ inside: String = "") -> Data {
        Data(repeating: 0xFF, count: size / 2) + Data(inside.utf8) + Data(repeating: 0xFE, count: size / 2)
    }

    @Test(arguments: [
        ("video/mp4", film(2 << 20, "access_token=abcdefgh12345678"), "binary"),
        ("video/mp4", film(2 << 20, "sent-1/23"), "binary"),
        ("video/mp4", film(2 << 20, "ghp_0123456789abcdefghijABCDEFGHIJ012345"), "binary"),
        ("application/x-www-form-urlencoded", bytes(#"name=J\xF6rg&access%5Ftoken=abcdefgh"#), "binary"),
        ("application/x-ndjson", bytes(#"J\xF6rg sent-1/23"#), "UTF-8"),
    ])
    func `Bytes that are no text are searched for secrets`(_ type: String, _ body: Data, _ reason: String) async throws
    {
        let studio = try Self.studio(type, body)
        let received = try await studio.client.data(for: RecorderFixture.API.page)
        let found = try (received == body, studio.lines().map { $0.contains(reason) }, studio.files())
        #expect(found == (true, [true], [:]), "\(studio.lines())")
    }

    @Test(arguments: ["video/mp4", "text/plain"])
    func `Bytes that are no text are recorded as they are`(_ type: String) async throws {
        let body = Self.film((8 << 20) - 64, "token")
        let studio = try Self.studio(type, body)
        let received = try await studio.client.data(for: RecorderFixture.API.avatar)
        let recorded = try Data(contentsOf: studio.folder["Mocks/avatar.png"])
        let replayed = try await studio.replay().data(for: RecorderFixture.API.avatar)
        #expect([received, recorded, replayed].map { $0 == body } == [true, true, true], "\(studio.lines())")
    }

    @Test func `An error with bytes that are no text has no message`() async throws {
        let body = Self.film(7 << 20, "<Message>hi</Message>")
        let studio = try RecorderFixture(handler: { _, connection in connection.respond(422, body: body) })
        let error = try await failure { try await studio.client.data(for: RecorderFixture.API.page) }
        #expect(error.kind == .status(422) && error.serverMessage == nil)
    }

    // MARK: Addresses

    @Test(arguments: [
        "https://cdn.example/a%20b.png?st=T14%3A00%3A00Z&sig=Zm9v%2B&p=1",
        "https://ann:sent-1%2F23@cdn.example/a?x=%2F", "https://cdn.example/sent-1%2F23/a%20b?x=1",
        "https://cdn.example/s3cret%2Fvalue/a?y=2#access_token=abc", "//u:pw-1@h.example/x?to=%2Fy%3Ftoken%3Dt-1",
        "https://cdn.example/?key=s3cret%2Fvalue&a=%3A",
    ])
    func `An address without its secrets is an address still`(_ address: String) async throws {
        let studio = try RecorderFixture(
            answer: #"{"url": "\#(address)", "passwordLink": "https://h.example/\#(address.utf8.count)"}"#,
            ["Location": address, "Link": "<\(address)>; rel=next"]
        ) { $0.authorization = .bearer("sent-1/23") }
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        struct Answer: Decodable { let url, passwordLink: String }
        let response = try await studio.replay().response(for: RecorderFixture.API.page, as: Answer.self)
        let (text, location) = (response.value.url, response.headers[.location] ?? "")
        let areAddresses = [text, location].map { URLText.absolute($0.hasPrefix("//") ? "https:" + $0 : $0) != nil }
        let found = (
            text.contains("redacted"), text.contains("<"), areAddresses, response.headers["Link"],
            response.value.passwordLink
        )
        #expect(
            found == (true, false, [true, true], "<\(text)>; rel=next", "https://redacted.invalid"),
            "\(text) \(location) \(studio.lines())")
    }
}
