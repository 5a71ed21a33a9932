import CallSupport
import FingerpostStreams
import FingerpostTesting
import FingerpostTransfers
import Foundation

/// Compiles and runs the code of the article FilesAndTransfers.
@Suite(.inTurn) struct FilesAndTransfersTests {
    struct AddPhoto: Endpoint {
        struct Response: Decodable, Sendable {
            let id: Int
        }
        let photo: URL

        var method: HTTPMethod { .post }
        var path: RoutePath { "photos" }
        var body: RequestBody? {
            .multipart(MultipartForm().file("photo", photo))
        }
    }

    @Test func `A server receives forms, files and streams`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: #"{"id": 7}"#) }
        let client = APIClient(baseURL: server.baseURL)
        let folder = try TemporaryFolder(["photo.jpg": "jpg", "backup.zip": "zip", "people.csv": "csv"])
        let filmURL = folder["film.mp4"]
        let (photoURL, archiveURL, csvURL) = (folder["photo.jpg"], folder["backup.zip"], folder["people.csv"])
        let thumbnail = Data("png".utf8)

        let form = MultipartForm()
            .field("title", "Holiday")
            .file("photo", photoURL)
            .data("thumbnail", thumbnail, fileName: "small.png")
        try await client.send(Route.post("photos").multipart(form))

        let id = try await client.send(AddPhoto(photo: photoURL)).id

        try await client.send(Route.put("backup").body(.file(archiveURL)).timeout(.seconds(3600)))

        let upload = Route.put("backup").body(.file(archiveURL))
            .header(.expect, "100-continue")
        try await client.send(upload)

        let export = BodyStream(contentType: "text/csv") {
            InputStream(url: csvURL)
        }
        try await client.send(Route.post("import").body(.stream(export)))

        let film = try await client.download(
            Route.get("films/7").timeout(.seconds(3600)), to: filmURL)
        let found = try (id, String(contentsOf: film.value, encoding: .utf8))
        #expect(found == (7, #"{"id": 7}"#))

        let requests = server.requests
        let parts = try MultipartParser.parts(of: requests[0].body, contentType: requests[0]["Content-Type"])
        #expect(parts.map(\.contentType) == [nil, "image/jpeg", "image/png"])
        let texts = requests[2...4].map { "\($0["Content-Type"] ?? "none") \($0.text)" }
        #expect(texts == ["application/zip zip", "application/zip zip", "text/csv csv"])
    }

    @Test func `A download goes on`() async throws {
        // The first response ends after four of its ten bytes.
        let server = try LoopbackServer { request, connection in
            if request["Range"] == nil {
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"a\"\r\n\r\n0123")
                connection.close()
            } else {
                connection.write("HTTP/1.1 206 Partial Content\r\nContent-Length: 6\r\nETag: \"a\"\r\n")
                connection.write("Content-Range: bytes 4-9/10\r\n\r\n456789")
            }
        }
        let client = APIClient(baseURL: server.baseURL)
        let filmURL = try TemporaryFolder()["film.mp4"]

        let route = Route.get("films/7").timeout(.seconds(3600)).retry(.standard)
        let film = try await client.download(route, to: filmURL, resuming: true)

        #expect(try String(contentsOf: film.value, encoding: .utf8) == "0123456789")
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=4-"])
    }

    @Test func `A body goes into a sink of the app`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "film") }
        let client = APIClient(baseURL: server.baseURL)
        let pipe = Pipe()
        let handle = pipe.fileHandleForWriting

        nonisolated struct FileHandleSink: BodySink {
            let handle: FileHandle

            func begin(_ head: Response<Void>) {}

            func receive(_ bytes: Data) throws {
                try handle.write(contentsOf: bytes)
            }
        }

        let head = try await client.send(
            Route.get("films/7"), into: FileHandleSink(handle: handle))

        try handle.close()
        let found = try (head.status, pipe.fileHandleForReading.readToEnd())
        #expect(found == (200, Data("film".utf8)))
    }

    /// What a view shows.
    @MainActor final class Model {
        var fraction: Double? { didSet { changes.yield() } }
        var error: (any Error)? { didSet { changes.yield() } }
        var isDone = false { didSet { changes.yield() } }
        let (ends, changes) = AsyncStream<Void>.makeStream()
    }

    @Test @MainActor func `Progress is shown in a terminal and in a view`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "film") }
        let client = APIClient(baseURL: server.baseURL)
        let folder = try TemporaryFolder(["backup.zip": "zip"])
        let (filmURL, archiveURL) = (folder["film.mp4"], folder["backup.zip"])
        let model = Model()

        try await client.download(Route.get("films/7"), to: filmURL) { progress in
            let percent =
                progress.fractionCompleted.map { "\(Int($0 * 100)) %" }
                ?? "\(progress.completedBytes) bytes"
            print(percent, Int(progress.bytesPerSecond), "bytes per second")
        }

        Task { @MainActor in
            do {
                try await client.download(Route.get("films/7"), to: filmURL) { progress in
                    Task { @MainActor in model.fraction = progress.fractionCompleted }
                }
                model.isDone = true
            } catch {
                model.error = error
            }
        }
        for await _ in model.ends where model.fraction == 1 && model.isDone || model.error != nil { break }

        let bar = Progress(totalUnitCount: -1)
        try await client.send(Route.put("backup").body(.file(archiveURL))) {
            $0.update(bar)
        }
        #expect(bar.isFinished && model.error == nil)
    }
}
