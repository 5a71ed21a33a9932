import Fingerpost
import FingerpostFiles
import FingerpostTesting
import Foundation
import TestSupport
import Testing

/// Reports of calls with callbacks come where the completion runs, in order and before it.
@Suite(.timeLimit(.minutes(5)), .mocks) @MainActor struct ProgressCallbackTests {
    struct Get: Endpoint {
        typealias Response = [Int]
        var path: RoutePath { "x" }
        var mock: MockName? { "x" }
    }

    private let route = Route.get("x").mock("x")

    private func client() throws -> APIClient {
        Mocks.set("x", .data(Data("[1, 2]".utf8), contentType: "application/json"))
        return try APIClient()
    }

    /// The state of a view: what was reported, and then the completion.
    @MainActor private final class Model {
        var reports: [TransferProgress] = []
        var scopes: [APIScope?] = []
        let (ends, end) = AsyncStream<Int>.makeStream()

        func report(_ progress: TransferProgress) {
            reports.append(progress)
            scopes.append(.current)
        }

        func waitForEnd() async -> Int {
            for await count in ends { return count }
            return -1
        }
    }

    @Test func `Reports and the completion run on the main actor`() async throws {
        let client = try client()
        let folder = try TemporaryFolder([:])
        let starts: [@MainActor (Model) -> Void] = [
            { model in
                client.request(route, as: [Int].self) { progress in
                    model.report(progress)
                } completion: { _ in
                    model.end.yield(model.reports.count)
                }
            },
            { model in
                client.request(Get()) { progress in
                    model.report(progress)
                } completion: { _ in
                    model.end.yield(model.reports.count)
                }
            },
            { model in
                client.request(route) { progress in
                    model.report(progress)
                } completion: { (_: Result<Void, APIError>) in
                    model.end.yield(model.reports.count)
                }
            },
            { model in
                client.download(route, to: folder["x"]) { progress in
                    model.report(progress)
                } completion: { _ in
                    model.end.yield(model.reports.count)
                }
            },
            { model in
                Get().request(through: client) { progress in
                    model.report(progress)
                } success: { _ in
                    model.end.yield(model.reports.count)
                } failure: { _ in
                    model.end.yield(0)
                }
            },
        ]
        for start in starts {
            let model = Model()
            start(model)
            #expect(await model.waitForEnd() == 6)
            #expect(model.reports.map(\.completedBytes) == [1, 2, 3, 4, 5, 6])
            #expect(model.scopes.allSatisfy { $0 != nil })
        }
    }

    @Test(arguments: [false, true]) func `Reports and the completion run on the queue`(isConcurrent: Bool) async throws
    {
        let client = try client()
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "progress", attributes: isConcurrent ? .concurrent : [])
        queue.setSpecific(key: key, value: true)
        let log = ProgressLog()
        let count = await withCheckedContinuation { continuation in
            client.request(route, as: [Int].self, on: queue) { progress in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                #expect(APIScope.current != nil)
                log.add(progress)
            } completion: { _ in
                #expect(DispatchQueue.getSpecific(key: key) == true)
                continuation.resume(returning: log.all.count)
            }
        }
        #expect(count == 6)
        log.expectEnd(6, total: 6)
    }

    @Test func `A call that the app cancels reports nothing more`() async throws {
        let client = try client()
        let model = Model()
        let task = Locked<CallTask?>(nil)
        let call = client.request(route, as: [Int].self) { progress in
            model.report(progress)
            task.withLock { $0 }?.cancel()
        } completion: { _ in
            model.end.yield(model.reports.count)
        }
        task.withLock { $0 = call }
        // The closure cancels on the main actor, so no report that waits for it follows.
        #expect(await model.waitForEnd() == 1)
    }
}
