import CallSupport
import FingerpostStreams

@testable import FingerpostTesting

/// What a recording shows of a response.
@Suite(.inTurn) struct BodySecretsTests {
    @Test func `Values with the names of secrets are hidden, and those with names that describe one are shown`()
        async throws
    {
        let hidden = ResponseNames.issued.enumerated().map { (name: $1, value: "sekret-\($0)-value") }
        let shown = ResponseNames.described.enumerated().map { (name: $1, value: "plain-\($0)-value") }
        let pairs = (hidden + shown).map { #""\#($0.name)": "\#($0.value)""# }.joined(separator: ", ")
        let studio = try RecorderFixture(
            handler: RecorderFixture.json("{\(pairs)}", ["Content-Type": "application/json"]))
        try await studio.client.send(RecorderFixture.API.user(login: "octocat"))
        let recording = try #require(try studio.files()["users/show.json"])
        for (name, value) in hidden { #expect(recording.contains(name) && !recording.contains(value), "\(name)") }
        for (name, value) in shown { #expect(recording.contains(name) && recording.contains(value), "\(name)") }
    }

    /// Each with what a recording shows of it.
    static let streams: [(type: String, body: String, shown: String)] = [
        (
            "text/event-stream", ": wake up, access_token=tok-1234567890\n\ndata: 1\n\n",
            ": wake up, access_token=<redacted>\n\ndata: 1\n\n"
        ),
        ("text/event-stream", "data: access_token=tok-1234567890\n\n", "data: access_token=<redacted>\n\n"),
        (
            "text/event-stream", "data: signed in, password: hunter2-hunter2\n\n",
            "data: signed in, password: <redacted>\n\n"
        ),
        (
            "text/event-stream", "event: a\ndata: access_token=tok-1234567890&b=1\ndata: c\n\n",
            "event: a\ndata: access_token=<redacted>&b=1\ndata: c\n\n"
        ),
        ("text/event-stream", "data: a Bearer abcdefgh12345678 b\n\n", "data: a <redacted> b\n\n"),
        (
            "text/event-stream", "data: {\"token\":\ndata: \"tok-1\"}\n\n",
            "data: {\"token\":\ndata: \"<redacted>\"}\n\n"
        ),
        (
            "application/x-ndjson", "access_token=tok-1234567890\n{\"a\":1}\n",
            "access_token=<redacted>\n{\"a\":1}\n"
        ),
    ]

    @Test(arguments: streams) func `Lines and comments of streams hide the same`(
        type: String, body: String, shown: String
    ) async throws {
        let studio = try RecorderFixture { _, connection in
            connection.respond(200, headers: ["Content-Type": type], body: body)
        }
        for try await _ in try await studio.client.stream(RecorderFixture.API.feed) {}
        let files = try studio.files()
        let name = try #require(files.keys.first { !$0.hasSuffix(".mock.json") })
        #expect(files[name] == shown, "\(studio.lines())")
        // The body of a call that returns it whole is shown in the same way.
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        let whole = try #require(
            try studio.files().first { $0.key.hasPrefix("page.") && !$0.key.hasSuffix(".mock.json") })
        #expect(whole.value == shown)
    }
}
