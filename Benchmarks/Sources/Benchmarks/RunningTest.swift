import Fingerpost
import FingerpostMocks
import Foundation

#if os(Linux)
    import FingerpostTesting
    import Synchronization
    import Testing

    /// Runs work in a test of Swift Testing, whose runner takes a backtrace of each error that is thrown.
    struct RunningTest {
        private static let current = Mutex<Growth.Work?>(nil)

        @Test func work() async throws { try await Self.current.withLock { $0 }?() }

        static func run(_ work: @escaping Growth.Work) async {
            var arguments = __CommandLineArguments_v0()
            arguments.quiet = true
            current.withLock { $0 = work }
            let code: CInt = await __swiftPMEntryPoint(passing: arguments)
            precondition(code == EXIT_SUCCESS)
        }
    }

    // A binary answer of n bytes, none of which is text.
    extension Growth {
        static let bytes = [recordedBytes, errorOfBytes]

        /// An answer that is recorded.
        private static let recordedBytes = Growth("recorded-bytes", 80_000, target: .milliseconds(800)) { count in
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("Fingerpost-\(ProcessInfo.processInfo.processIdentifier)/\(UUID())/Mocks")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let recorder = try RecordingMiddleware(environment: nil, folder: folder, tell: { _ in })
            let client = film(200, count).with { $0.middleware.append(recorder) }
            return {
                await RunningTest.run { blackHole(try await client.data(for: Route.get("film").mock("film"))) }
                precondition(FileManager.default.fileExists(atPath: folder.appendingPathComponent("film").path))
            }
        }

        /// An error with such a body.
        private static let errorOfBytes = Growth("error-bytes", 80_000, target: .milliseconds(800)) { count in
            let client = film(422, count)
            return {
                await RunningTest.run {
                    do throws(APIError) {
                        blackHole(try await client.data(for: Route.get("film")))
                    } catch { blackHole("\(error)") }
                }
            }
        }

        private static func film(_ status: Int, _ count: Int) -> APIClient {
            var state: UInt64 = 94
            let body = Data(
                (0..<count).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 33)
                })
            return answeringClient { request in
                Response(
                    status: status, headers: [.contentType: "application/octet-stream"], data: body, request: request)
            }
        }
    }
#endif
