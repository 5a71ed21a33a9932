import CallSupport

@testable import Fingerpost
@testable import FingerpostTesting

/// Signatures in texts: errors, logs, descriptions and recordings.
@Suite(.inTurn, .concurrent) struct SignaturesInTextsTests {
    private let signer = NumberedSigner()

    private struct Noting: CallObserver {
        let texts: Locked<[String]>

        func finished(_ call: LoggedCall) {
            var dumped = ""
            dump(call, to: &dumped)
            texts.withLock {
                $0 += [
                    "\(call)", call.line, call.curl ?? "", "\(call.history)",
                    "\(call.request.allHTTPHeaderFields ?? [:])", dumped,
                ]
            }
        }
    }

    @Test(arguments: [200, 400]) func `No text shows a signature, not that of an earlier request either`(_ status: Int)
        async throws
    {
        let texts = Locked<[String]>([])
        let all = Locked("")
        let transport = StubTransport { request, index in
            let list = all.withLock { all in
                all += " " + request.values("X-Plain")
                return all
            }
            let headers: HTTPHeaders = [
                "X-Echo": list, .location: "/x?n=\(index)&echo=\(request.values("X-Plain"))",
            ]
            let answers = [503, 307, 401, status]
            return (
                answers[min(index, 3)], headers.merging(index == 2 ? ["X-Challenge": "1"] : [:]),
                "{\"message\": \"wrong:\(list)\"}"
            )
        }
        let client = transport.client {
            $0.retry = .atOnce(9)
            $0.authorization = .signing(signer)
            $0.observers = [Noting(texts: texts)]
        }
        var shown: [String] = []
        do {
            let response = try await client.response(for: Route.get("x"), as: Data.self)
            shown = ["\(response)", "\(response.history)"]
            dump(response, to: &shown[0])
            all.withLock { $0 = "" }
            await #expect(throws: APIError.self) { try await client.send(Route.get("x"), as: Int.self) as Int }
        } catch {
            shown = [
                "\(error)", error.curl ?? "", "\(error.history)", error.serverMessage ?? "", error.localizedDescription,
            ]
            dump(error, to: &shown[0])
        }
        let telling = (shown + texts.withLock { $0 }).filter { $0.contains("4711") }
        #expect(transport.requests.count >= 4 && telling == [])
    }

    @Test func `Logs of a scope and recordings have no signature`() async throws {
        let folder = try TemporaryFolder()
        let environment = try APIEnvironment("Testing", values: ["baseURL": "https://api.example.com"])
        let log = try await APIScope(environment: environment).run {
            Mocks.set("me", .status(401))
            let client = try APIClient { $0.authorization = .signing(NumberedSigner { _ in true }) }
            let error = try await failure(.status(401)) { try await client.send(Route.get("me").mock("me")) }
            var text = "\(error) \(Mocks.calls(of: "me"))"
            dump(Mocks.calls(of: "me"), to: &text)
            return text + (Mocks.calls(of: "me").first?.curl ?? "")
        }
        let echoed = Locked("")
        let transport = StubTransport { request, index in
            let list = echoed.withLock { echoed in
                echoed += " " + request.values("X-Plain")
                return echoed
            }
            return (
                index == 0 ? 503 : index == 1 ? 401 : 200,
                index == 1 ? ["X-Challenge": "1"] : [.contentType: "application/json"], "{\"echo\": \"\(list)\"}"
            )
        }
        let recorder = try RecordingMiddleware(
            environment: nil, recorder: .shared(for: folder.url), tell: { _ in }, variables: [:])
        let client = transport.client {
            $0.retry = .atOnce(9)
            $0.authorization = .signing(signer)
            $0.middleware = [recorder]
        }
        _ = try await client.response(for: Route.get("x").mock("x"), as: Data.self)
        let lines = recorder.finish() + recorder.lines
        var texts = lines
        for case let file as URL in FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)! {
            if let text = try? String(contentsOf: file, encoding: .utf8) { texts.append(text) }
        }
        #expect(transport.requests.count == 3 && !lines.isEmpty && texts.contains { $0.contains("\"echo\"") })
        #expect((texts + [log]).filter { $0.contains("4711") } == [])
    }
}
