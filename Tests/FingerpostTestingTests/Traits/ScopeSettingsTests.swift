import Fingerpost
import FingerpostFiles
import Foundation
import Testing

@testable import FingerpostTesting

@Suite struct ScopeSettingsTests {
    private func scope(_ settings: ScopeSettings = ScopeSettings(), mode: MockMode) throws -> APIScope {
        try settings.scope(file: #filePath, seed: "seed", mode: mode, variables: [:])
    }

    @Test func `A recording calls the environment that MOCKS names`() throws {
        let scope = try scope(mode: .record(environment: "Staging"))
        #expect(scope.environment?.name == "Staging")
        #expect(scope.network == .live)
        #expect(scope.settings.recorder != nil)
    }

    @Test func `A recording of an environment that answers from mocks is refused`() throws {
        let problem = #expect(throws: FileProblem.self) { try scope(mode: .record(environment: "Testing")) }
        #expect(
            problem?.description == """
                process variable MOCKS: error: "record:Testing" names an environment that answers from mocks. Fix: \
                name an environment whose "$network" is live
                """)
        #expect(throws: EnvironmentError.self) { try scope(mode: .record(environment: "Stagin")) }
    }

    @Test func `A live test does not record`() throws {
        var settings = ScopeSettings()
        settings.environment = "Staging"
        settings.network = .live
        let scope = try scope(settings, mode: .record(environment: "Production"))
        #expect(scope.environment?.name == "Staging")
        #expect(scope.settings.recorder == nil)
    }

    @Test(arguments: [MockMode.serve, .drift(environment: "Staging")])
    func `Without a recording a test is sealed`(mode: MockMode) throws {
        let scope = try scope(mode: mode)
        #expect(scope.environment?.name == "Testing")
        #expect(scope.network == .sealed)
        #expect(scope.settings.recorder == nil)
    }

    private static let networks: [Environment.Network?] = [nil, .sealed, .live, .mocksThenLive]

    @Test func `Waits take real time where a server may answer, whichever trait says so last`() throws {
        func isVirtual(_ scope: APIScope) -> Bool { scope.run { APIScope.clock is VirtualClock } }
        let recording = try scope(mode: .record(environment: "Staging"))
        #expect(!isVirtual(recording))
        for outer in Self.networks {
            var settings = ScopeSettings()
            settings.network = outer
            let scope = try scope(settings, mode: .serve)
            #expect(isVirtual(scope) == (outer ?? .sealed == .sealed), "\(outer as Any)")
            for inner in Self.networks {
                settings.network = inner
                let last = inner ?? outer ?? .sealed
                let nested = try scope.with(settings)
                #expect(isVirtual(nested) == (last == .sealed), "\(outer as Any), \(inner as Any)")
            }
        }
    }
}
