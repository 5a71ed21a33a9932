import CallSupport
import FingerpostShared

@testable import Fingerpost
@testable import FingerpostTransfers

/// What servers, disks and other programs do wrong while a download goes on.
@Suite(.inTurn, .concurrent) struct LiveResumedDownloadFaultTests: DownloadSuite {
    let folder: TemporaryFolder
    private let nowhere = APIClient(baseURL: URL(string: "http://127.0.0.1:9")!)

    init() throws { folder = try TemporaryFolder(["file.txt": "old"]) }

    /// The error of a download; nil if it succeeds.
    private func error(of client: APIClient, _ route: Route = .get("x")) async -> APIError? {
        do { try await client.download(route, to: file, resuming: true) } catch { return error }
        return nil
    }

    /// What a download does after a response to its request for the rest.
    enum Outcome: Sendable {
        case goesOn
        /// The whole is received, in a second request.
        case startsOver(String)
        /// The response contains another whole.
        case isOther
        case fails(String)
    }

    private static let tag = "\"v1\""
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let range = "Content-Range: bytes 3-9/10"
    private static let v1 = "ETag: \"v1\""

    /// What follows `HTTP/1.1` in a response with a part of seven bytes.
    private static func part(_ headers: String..., body: String = "3") -> String {
        "206 \r\nContent-Length: 7\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n\(body)"
    }

    /// The response is another part than the one that was asked for.
    private static func isOther(_ range: String) -> (String, String, Outcome) {
        (tag, part("Content-Range: \(range)"), .startsOver("\"\(range)\", although the bytes from 3"))
    }

    private static func chunked(_ body: String) -> String {
        let size = String(body.utf8.count, radix: 16)
        return "206 \r\n\(range)\r\n\(v1)\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
    }

    /// What was kept, the response after `HTTP/1.1`, and what the download does. The part that was kept is `012` of
    /// `0123456789`.
    private static let odd: [(String, String, Outcome)] = [
        (tag, part(range, v1, body: "3456789"), .goesOn),
        (tag, part("Content-Range: bytes 3-9/*", v1, body: "3456789"), .goesOn),
        (tag, chunked("3456789"), .goesOn),
        (tag, part(range, v1, "Vary: Accept-Encoding, Authorization", body: "3456789"), .goesOn),
        (date, part(range, "Last-Modified: \(date)", body: "3456789"), .goesOn),
        // Of these, nothing of the body is read: it never ends.
        isOther("bytes 4-9/10"), isOther("bytes 2-9/10"), isOther("bytes 3-9/11"), isOther("bytes 3-10/*"),
        (tag, part("Content-Range: lines 3-9/10"), .startsOver(#"the invalid Content-Range "lines 3-9/10""#)),
        (tag, part(v1), .startsOver("a part without Content-Range")),
        (tag, part(range, v1, "Content-Encoding: br"), .startsOver("that is encoded")),
        (tag, part(range, "ETag: \"v2\""), .startsOver(#"a part of "v2", although one of "v1""#)),
        (tag, part(range, "ETag: W/\"v1\""), .startsOver(#"a part of W/"v1", although one of "v1""#)),
        (tag, part(range, "Last-Modified: \(date)"), .startsOver("a part without ETag")),
        (tag, part(range), .startsOver("a part without ETag")),
        (tag, part(range, v1, "Vary: *"), .startsOver("(Vary)")),
        (date, part("Content-Range: bytes 3-9/*"), .startsOver("a part without a date or a size")),
        (tag, "416 \r\nContent-Range: bytes */3\r\nContent-Length: 0\r\n\r\n", .startsOver("")),
        (tag, "200 \r\nContent-Length: 10\r\nETag: \"v2\"\r\n\r\nabcdefghij", .isOther),
        (tag, "200 \r\nContent-Length: 10\r\n\(v1)\r\n\r\nabcdefghij", .isOther),
        (tag, "203 \r\nContent-Length: 10\r\n\(range)\r\n\(v1)\r\n\r\nabcdefghij", .isOther),
        (tag, "200 \r\nContent-Length: 10\r\nETag: \"v2\"\r\n\r\nabc", .fails("")),
        (tag, part(range, v1, body: "345"), .fails("")),
        (
            tag, "206 \r\nContent-Length: 3\r\nContent-Range: bytes 3-5/10\r\n\(v1)\r\n\r\n345",
            .fails("the body ended after 6 of 10 bytes")
        ),
        (tag, chunked("3456789x"), .fails("the server sent more than the 10 bytes")),
        (
            tag, part("Content-Range: bytes 3-5/10", v1, body: "345xxxx"),
            .fails("the server sent more than the 6 bytes")
        ),
        (tag, "404 \r\nContent-Length: 2\r\n\r\nno", .fails("")),
        (tag, "503 \r\nContent-Length: 2\r\n\(range)\r\n\(v1)\r\n\r\nno", .fails("")), (tag, "", .fails("")),
    ]

    @Test(arguments: odd)
    func `No file is joined of two wholes`(_ kept: String, _ response: String, _ outcome: Outcome) async throws {
        let count = Locked(0)
        let server = try LoopbackServer { request, connection in
            if count.next() == 1 {
                if !response.isEmpty { connection.write("HTTP/1.1 \(response)") }
                if case .startsOver = outcome, response.hasPrefix("206") { connection.waitUntilPeerCloses() }
                connection.close()
            } else if let range = request["Range"], request["If-Range"] == kept {
                // The right rest: of the first whole.
                let start = Int(range.dropFirst(6).dropLast()) ?? 0
                connection.respond(
                    206, headers: ["Content-Range": "bytes \(start)-9/10", "ETag": kept],
                    body: Array("0123456789".utf8)[start...])
            } else {
                connection.respond(200, headers: ["ETag": "\"v2\""], body: "abcdefghij")
            }
        }
        try Kept.write("012", kept, for: server.baseURL.appendingPathComponent("x"), beside: file)
        let client = APIClient(baseURL: server.baseURL)
        var (error, reason) = (APIError?.none, String?.none)
        do throws(APIError) {
            reason = try await client.download(Route.get("x"), to: file, resuming: true).history.first?.error
        } catch let failure { error = failure }
        if case .fails(let message) = outcome {
            #expect(message.isEmpty || error?.message.contains(message) == true, "\(error?.message ?? "")")
            #expect(try error != nil && text == "old")
            let next = await self.error(of: client)
            // What is no success leaves the part.
            let wholes = ["0123456789"] + (response.hasPrefix("20") ? ["abcdefghij"] : [])
            #expect(try next == nil && wholes.contains(text))
        } else {
            var (whole, asked) = ("abcdefghij", ["bytes=3-"] as [String?])
            if case .goesOn = outcome { whole = "0123456789" }
            if case .startsOver(let message) = outcome {
                asked.append(nil)
                #expect(message.isEmpty || reason?.contains(message) == true, "\(reason ?? "")")
            }
            let found = try (text, server.requests.map { $0["Range"] })
            #expect(found == (whole, asked))
        }
        #expect(try folder.names == ["file.txt"])
    }

    @Test func `What is kept is lost only when the whole arrives`() async throws {
        let server = try LoopbackServer { request, connection in
            if request["Range"] != nil {
                connection.respond(206, headers: ["Content-Range": "bytes 3-9/10"], body: "3456789")
            } else {
                connection.reset()
            }
        }
        try Kept.write("012", for: server.baseURL.appendingPathComponent("x"), beside: file)
        let error = await error(of: APIClient(baseURL: server.baseURL))
        let part = try String(contentsOf: folder[Kept.part], encoding: .utf8)
        let found = try (error?.kind, server.requests.map { $0["Range"] }.prefix(2), text, part)
        #expect(found == (.transport, ["bytes=3-", nil], "old", "012"))
    }

    // MARK: The hidden files

    @Test func `A description that fits no part is replaced`() async throws {
        for description in [
            "", "{", #"{"salt":1}"#, #"{"salt":1,"request":1,"varying":[],"address":1,"validator":"\"v1\"","size":2}"#,
            #"{"salt":1,"request":1,"varying":[],"address":1,"validator":"\"v1\"","size":10}"#, "\u{0}",
        ] {
            let server = try RangeServer("0123456789")
            try folder.write(Data("old".utf8), to: "file.txt")
            try Kept.write("xyz", description: Data(description.utf8), beside: file)
            try await APIClient(baseURL: server.baseURL).download(Route.get("x"), to: file, resuming: true)
            let found = try (text, folder.names, server.asked)
            #expect(found == ("0123456789", ["file.txt"], [nil]), "\(description)")
        }
    }

    @Test func `A second download to the same file is an error`() async throws {
        let errors = Locked<[String]>([])
        let server = try LoopbackServer { [file] _, connection in
            for attempt in [{ _ = try DownloadFile(for: file) }, { try APIClient.discardPartialDownload(at: file) }] {
                let error = #expect(throws: APIError.self) { try attempt() }
                errors.withLock { $0.append(error?.message ?? "") }
            }
            connection.respond(200, body: "new")
        }
        let client = APIClient(baseURL: server.baseURL)
        for _ in 1...2 { try await client.download(Route.get("x"), to: file, resuming: true) }
        let path = FilePath.display(file)
        let expected = [", so nothing was sent", ""].map { "another download to \(path) is in progress\($0)" }
        let found = try (errors.withLock { $0 }, text, folder.names)
        #expect(found == (expected + expected, "new", ["file.txt"]))
    }

    @Test func `A link in the place of a hidden file is not followed`() async throws {
        let victim = folder["victim"]
        try NewFile.write(Data("safe".utf8), to: victim)
        for (name, isHard) in [Kept.part, Kept.description].flatMap({ [($0, false), ($0, true)] }) {
            if isHard {
                try FileManager.default.linkItem(at: victim, to: folder[name])
            } else {
                try FileManager.default.createSymbolicLink(at: folder[name], withDestinationURL: victim)
            }
            let error = await error(of: nowhere)
            for name in [Kept.part, Kept.description] { unlink(folder[name].path) }
            let reason = "this user alone: it is a \(isHard ? "hard " : "")link"
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            #expect(error?.message.hasSuffix(", so nothing was sent") == true, "\(error?.message ?? "")")
            #expect(error?.fix?.hasSuffix("/\(name)") == true)
            #expect(try String(contentsOf: victim, encoding: .utf8) == "safe")
        }
    }

    @Test func `A part that others may write is replaced`() async throws {
        let server = try RangeServer("0123456789")
        try Kept.write("xyz", for: server.baseURL.appendingPathComponent("x"), beside: file)
        chmod(folder[Kept.part].path, 0o666)
        let other = try FileHandle(forWritingTo: folder[Kept.part])
        try await APIClient(baseURL: server.baseURL).download(Route.get("x"), to: file, resuming: true)
        try other.write(contentsOf: Data("other".utf8))
        let found = try (text, server.asked)
        #expect(found == ("0123456789", [nil]))
    }

    @Test func `A part that another process has replaced is not moved to the file`() async throws {
        for isDeleted in [false, true] {
            let part = folder[Kept.part]
            let server = try LoopbackServer { _, connection in
                unlink(part.path)
                if !isDeleted { _ = try? NewFile.create(at: part) }
                connection.respond(200, headers: ["ETag": "\"v1\""], body: "0123456789")
            }
            let error = await error(of: APIClient(baseURL: server.baseURL))
            let message = isDeleted ? "No such file or directory" : "another process has replaced "
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
            #expect(try text == "old")
        }
    }

    @Test func `A folder in the place of the file, and a route with a range of its own, are errors`() async throws {
        let error = await error(of: nowhere, Route.get("x").header("Range", "bytes=0-1"))
        let found = try (error?.kind, folder.names)
        #expect(found == (.invalidRoute, ["file.txt"]))
        unlink(file.path)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let other = await self.error(of: nowhere)
        #expect(other?.message.contains("is not a file that the body can be written to") == true)
    }

    @Test func `A long name has a part too`() async throws {
        let target = folder[String(repeating: "n", count: 250)]
        let server = try RangeServer("0123456789", breaks: [4])
        let client = APIClient(baseURL: server.baseURL)
        await #expect(throws: APIError.self) { try await client.download(Route.get("x"), to: target, resuming: true) }
        try await client.download(Route.get("x"), to: target, resuming: true)
        let found = try (String(contentsOf: target, encoding: .utf8), server.asked)
        #expect(found == ("0123456789", [nil, "bytes=4-"]))
    }

    // MARK: The end of a call

    @Test(arguments: [false, true])
    func `A download that is cancelled, or whose time is up, goes on later`(isCancelled: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            if request["Range"] == nil {
                connection.write("HTTP/1.1 200 \r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\n0123")
                connection.waitUntilPeerCloses()
            } else {
                connection.respond(206, headers: ["Content-Range": "bytes 4-9/10", "ETag": "\"v1\""], body: "456789")
            }
        }
        let client = APIClient(baseURL: server.baseURL)
        if isCancelled {
            let download = Task { [file] in try await client.download(Route.get("x"), to: file, resuming: true) }
            await poll { (try? FileStatus(of: folder[Kept.part].path).size) == 4 }
            download.cancel()
            await #expect(throws: APIError.self) { try await download.value }
        } else {
            // On a busy machine, the time may be up before anything has come.
            for seconds in [2, 8, 32, 128] where !(try folder.names.contains(Kept.part)) {
                #expect(await error(of: client, Route.get("x").timeout(.seconds(seconds)))?.kind == .timedOut)
            }
        }
        let earlier = try text
        try await client.download(Route.get("x"), to: file, resuming: true)
        let found = try (earlier, text)
        #expect(found == ("old", "0123456789"))
    }

    @Test func `A body that middleware keeps survives that its download starts over`() async throws {
        let body = Locked<Data?>(nil)
        let server = try LoopbackServer { request, connection in
            let isFirst = request["Range"] == nil
            connection.respond(
                200, headers: ["ETag": isFirst ? "\"1\"" : "\"2\""], body: isFirst ? "0123456789" : "new")
        }
        // Keeps the first body, and lets its call fail.
        let keeping = ClosureMiddleware { request, _, next in
            let response = try await next(request)
            if body.withLock({ $0 }) != nil { return response }
            body.withLock { $0 = response.data }
            throw URLError(.cannotDecodeContentData)
        }
        let client = APIClient(baseURL: server.baseURL) { $0.middleware = [keeping] }
        #expect(await error(of: client) != nil)
        try await client.download(Route.get("x"), to: file, resuming: true)
        let found = try (server.requests.last?["Range"], text, body.withLock { $0 })
        #expect(found == ("bytes=9-", "new", Data("0123456789".utf8)))
    }
}
