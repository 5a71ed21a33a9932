@testable import FingerpostMockFiles
@testable import FingerpostTesting

/// Recordings that are made at the same time, and how their files are replaced.
extension RecordingMiddlewareTests {
    @Test func `Of concurrent calls of several tests the one that started last is kept with its settings`() async throws
    {
        let studio = try RecorderFixture { request, connection in
            let path = "\"\(request.path)\""
            connection.respond(200, headers: ["Content-Type": "application/json", "ETag": path], body: path)
        }
        let link = studio.folder["Linked"]
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: studio.folder["Mocks"])
        let recorders = try [studio.folder["Mocks"], link].map { folder in
            try RecordingMiddleware(
                environment: nil, recorder: .shared(for: folder), tell: { _ in }, variables: [:])
        }
        let first = RecordedTurn()
        let slowClient = APIClient(baseURL: studio.server.baseURL) { $0.middleware = [recorders[0], first] }
        async let slow = slowClient.data(for: API.user(login: "slow"))
        await first.started()
        let quickClient = APIClient(baseURL: studio.server.baseURL) { $0.middleware = [recorders[1]] }
        _ = try await quickClient.data(for: API.user(login: "quick"))
        first.release()
        _ = try await slow
        let found = try (
            studio.bodies(), studio.settings(of: "users/show")["headers"]?["ETag"],
            recorders.map { $0.lines.map { $0.prefix { $0 != " " } } }
        )
        #expect(
            found == (
                ["users/show.json": "\"/users/quick/profile\""], "\"/users/quick/profile\"",
                [["kept"], ["wrote", "wrote"]]
            ))
    }

    @Test func `The body and the settings are always from the same call`() async throws {
        let studio = try RecorderFixture { request, connection in
            let isLater = request.path.contains("later")
            connection.respond(
                isLater ? 204 : 200, headers: ["Content-Type": "application/json"], body: isLater ? "" : "[1]")
        }
        for login in ["first", "later"] { _ = try await studio.client.data(for: API.user(login: login)) }
        let line = "removed Mocks/users/show.json (was recorded by an earlier call of this run)"
        let found = try (studio.files().keys.sorted(), studio.lines().contains(line))
        #expect(found == (["users/show.204", "users/show.mock.json"], true), "\(studio.lines())")
    }

    @Test func `If the settings file is a link, no file is written`() async throws {
        let studio = try RecorderFixture(["Elsewhere/settings.json": "{}"], answer: "{}")
        try FileManager.default.createSymbolicLink(
            at: studio.folder["Mocks/page.mock.json"], withDestinationURL: studio.folder["Elsewhere/settings.json"])
        _ = try await studio.client.data(for: API.page)
        let found = try (Array(studio.files().keys), studio.recorder.finish(), studio.lines().count)
        #expect(found == (["page.mock.json"], studio.recorder.lines, 1))
    }

    @Test func `A file is replaced in one step, keeps its mode, and leaves nothing beside it`() async throws {
        let old = String(repeating: "[1, 2, 3]\n", count: 1000)
        let studio = try RecorderFixture(
            // What a process that was killed has left.
            ["Mocks/users/show.json": old, "Mocks/users/.fingerpost-1": "{"],
            answer: #"{"id":1}"#)
        let file = studio.folder["Mocks/users/show.json"]
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let reader = try FileHandle(forReadingFrom: file)
        let start = try reader.read(upToCount: 10) ?? Data()
        _ = try await studio.client.data(for: API.user(login: "a"))
        let rest = try reader.readToEnd() ?? Data()
        let found = try (
            start + rest, FileStatus(of: file.path).mode & 0o777, studio.files().keys.sorted(), studio.problems()
        )
        #expect(
            found == (Data(old.utf8), 0o640, ["users/.fingerpost-1", "users/show.json", "users/show.mock.json"], []))
        _ = try await studio.replay().data(for: API.user(login: "a"))
    }

    @Test(.heavy) func `A hundred concurrent calls leave one complete recording`() async throws {
        let studio = try RecorderFixture { request, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: "\"\(request.path)\"")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...100 {
                group.addTask { _ = try await studio.client.data(for: API.user(login: "\(number)")) }
            }
            try await group.waitForAll()
        }
        let kept = studio.lines().count { $0.hasPrefix("kept") }
        let written = studio.lines().count { line in
            line.contains("show.json") && !["kept", "but"].contains(where: line.hasPrefix)
        }
        let found = try (studio.files().keys.sorted(), kept + written)
        #expect(found == (["users/show.json", "users/show.mock.json"], 100))
        _ = try await studio.replay().data(for: API.user(login: "x"))
    }
}

/// Holds the first call, after the recorder has numbered it, until `release()`.
private final class RecordedTurn: Recorder {
    private let begun = AsyncStream.makeStream(of: Void.self)
    private let released = AsyncStream.makeStream(of: Void.self)
    private let count = Locked(0)

    func started() async { for await _ in begun.stream { break } }
    func release() { released.continuation.finish() }

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        if count.next() == 1 {
            begun.continuation.yield()
            for await _ in released.stream {}
        }
        return try await next(request)
    }
}
