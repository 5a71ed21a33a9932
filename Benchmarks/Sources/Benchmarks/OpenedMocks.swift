import Fingerpost
import FingerpostMocks
import Foundation

extension Benchmark {
    /// The first mocked call of a client with a folder of 10,000 mocks, compared with listing that folder.
    static func openedMocks() throws -> Benchmark {
        let mocks = FileManager.default.temporaryDirectory
            .appendingPathComponent("Fingerpost-\(ProcessInfo.processInfo.processIdentifier)/ManyMocks")
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment(
            "Testing", values: ["baseURL": "https://api.example.com/v1", "$network": "sealed"])
        let route = Route.get("user").mock("mock-5000")

        return Benchmark("open-10k-mocks", target: 1.6) {
            try FileManager.default.createDirectory(at: mocks, withIntermediateDirectories: true)
            for number in 0..<10_000 {
                try Data("{}".utf8).write(to: mocks.appendingPathComponent("mock-\(number).json"))
            }
        } byHand: { count in
            for _ in 0..<count { blackHole(try FileManager.default.contentsOfDirectory(atPath: mocks.path)) }
        } ours: { [configuration] count in
            for _ in 0..<count {
                var configuration = configuration
                // Opened folders are cached by URL; a new fragment avoids the cache and keeps the path.
                configuration.mocks = URL(string: "\(mocks.absoluteString)#\(UUID())")
                blackHole(try await APIClient(configuration).data(for: route))
            }
        }
    }
}
