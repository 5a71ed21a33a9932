import CallSupport
import Foundation

/// Runs XMLBodyDecoder.swift, and the code on other formats of the article ReadingResponses.
@Suite(.inTurn) struct XMLDecodingTests {
    struct Feed: XMLReadable {
        let titles: [String]

        init(xml: XMLTree) throws {
            titles = xml.children.filter { $0.name == "entry" }
                .compactMap { $0["title"]?.text }
        }
    }

    private static func answering(_ body: String, _ contentType: String = "text/xml; charset=utf-8") throws -> APIClient
    {
        let client = try APIClient {
            $0.headers[.accept] = "application/xml"
            $0.decoders = [
                "application/xml": XMLBodyDecoder(), "text/xml": XMLBodyDecoder(),
            ]
        }
        var configuration = client.configuration
        configuration.transport = StubTransport(200, [.contentType: contentType], body)
        return APIClient(baseURL: try #require(URL(string: "https://h.example")), configuration)
    }

    private static let environment = try? APIEnvironment("Live", values: ["baseURL": "https://h.example"])

    @Test func `A feed is decoded from XML`() async throws {
        try await APIScope(environment: Self.environment).run {
            let client = try Self.answering(
                """
                <?xml version="1.0"?>
                <feed><entry id="1"><title>Ä &amp; B</title></entry><other/><entry><title>C</title></entry></feed>
                """)
            let feed = try await client.send(Route.get("feed"), as: Feed.self)
            #expect(feed.titles == ["Ä & B", "C"])
        }
    }

    @Test func `Invalid XML is reported as a decoding error`() async throws {
        try await APIScope(environment: Self.environment).run {
            for (body, reason) in [("<feed><entry></feed>", "invalid XML at line 1"), ("", "invalid XML")] {
                let client = try Self.answering(body)
                let error = try await failure { try await client.send(Route.get("feed"), as: Feed.self) }
                #expect(error.kind == .decoding && error.message.contains(reason), "\(body): \(error)")
                let other = try await failure { try await client.send(Route.get("feed"), as: [Int].self) }
                #expect(other.message.contains("is not XMLReadable"))
            }
        }
    }

    @Test func `A property list is decoded by the decoder of its content type`() async throws {
        let body = "<plist version=\"1.0\"><array><integer>7</integer></array></plist>"
        let client = StubTransport(200, [.contentType: "application/x-plist"], body).client { configuration in
            configuration.decoders["application/x-plist"] = PropertyListDecoder()
        }
        #expect(try await client.send(Route.get("x"), as: [Int].self) == [7])
    }
}
