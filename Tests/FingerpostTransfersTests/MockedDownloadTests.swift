import CallSupport
import FingerpostTesting
import FingerpostTransfers

/// Downloads answered by mocks.
@Suite(.inTurn) struct MockedDownloadTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder([
            "Mocks/film.bin": "film", "Mocks/note.json": #"{"id": 0}"#, "Mocks/tape.bin": "tape!",
            "Mocks/tape.bin.cut.mock.json":
                #"{"body": "tape.bin", "failure": "truncated", "headers": {"ETag": "\"v1\""}}"#,
            "Mocks/tape.bin.rest.mock.json":
                #"{"body": "rest.bin", "status": 206, "headers": {"ETag": "\"v1\"", "Content-Range": "bytes 2-4/5"}}"#,
            "Mocks/rest.bin": "pe!",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: folder["Mocks/link.bin"].path, withDestinationPath: "film.bin")
        file = folder["downloaded"]
    }

    private func download(_ mock: MockName) async throws {
        let client = try APIClient {
            $0.environment = try .testing()
            $0.mocks = folder["Mocks"]
        }
        let response = try await client.download(Route.get("x").mock(mock), to: file)
        #expect(response.value == file && response.source != .network)
    }

    @Test func `The body of a mock is written to the file`() async throws {
        for (mock, text) in [("film.bin", "film"), ("link.bin", "film"), ("note", #"{"id": 0}"#)]
            as [(MockName, String)]
        {
            try folder.write(Data("old".utf8), to: "downloaded")
            try await download(mock)
            // The mock's own file is unchanged.
            let film = try String(contentsOf: folder["Mocks/film.bin"], encoding: .utf8)
            let found = try (String(contentsOf: file, encoding: .utf8), folder.names, film)
            #expect(found == (text, ["Mocks", "downloaded"], "film"))
        }
    }

    @Test(arguments: [false, true])
    func `A download that is cut off goes on with what is missing`(showsProgress: Bool) async throws {
        let scope = try APIScope(environment: .testing(), mocks: folder["Mocks"], clock: VirtualClock())
        try await scope.run {
            Mocks.set("tape.bin", .sequence([.variant("cut"), .variant("rest")]))
            let client = try APIClient { $0.retry = .standard }
            let route = Route.get("tape").mock("tape.bin")
            let ignore: @Sendable (TransferProgress) -> Void = { _ in }
            let response = try await client.download(
                route, to: file, resuming: true, progress: showsProgress ? ignore : nil)
            #expect(response.attempts == 2)
        }
        let ranges = scope.calls.map { $0.request.value(forHTTPHeaderField: "Range") }
        let found = try (String(contentsOf: file, encoding: .utf8), ranges, scope.close())
        #expect(found == ("tape!", ["bytes=2-"], []))
    }
}
