import Fingerpost
import FingerpostFiles

/// The cases that the tests of this process have called, and the cases that its audits have sampled, so that called
/// cases without a sample are found.
///
/// The audit and the other tests run in any order. A called case is therefore compared as soon as both are known: by
/// the audit, or at the end of the test that calls the case. This is state of the process because no other place knows
/// all its tests.
final class SampledCases: Sendable {
    private struct State {
        var called: [ObjectIdentifier: Set<String>] = [:]
        var sampled: [ObjectIdentifier: Set<String>] = [:]
    }

    static let ofProcess = SampledCases()

    private let state = Locked(State())

    /// Adds the samples of an audit.
    ///
    /// - Returns: the names of the cases that tests have called and that the samples lack, for all routers that have
    ///   samples.
    func sample(_ routes: [Route]) -> [String] {
        state.withLock { state in
            let names = Self.names(of: routes)
            for (router, names) in names { state.sampled[router, default: []].formUnion(names) }
            return names.keys.flatMap { (state.called[$0] ?? []).subtracting(state.sampled[$0] ?? []) }.sorted()
        }
    }

    /// Adds the routes that a test called, which has ended.
    ///
    /// - Returns: the names of the called cases that the samples of an earlier audit lack. Each name is returned once.
    func call(_ routes: [Route]) -> [String] {
        state.withLock { state in
            Self.names(of: routes).flatMap { router, names in
                let new = names.subtracting(state.called[router] ?? [])
                state.called[router, default: []].formUnion(names)
                return state.sampled[router].map { new.subtracting($0) } ?? []
            }.sorted()
        }
    }

    /// The names of the cases, by their router. A route that was not created from a router has no case.
    private static func names(of routes: [Route]) -> [ObjectIdentifier: Set<String>] {
        var names: [ObjectIdentifier: Set<String>] = [:]
        for route in routes {
            guard let origin = route.origin else { continue }
            names[ObjectIdentifier(type(of: origin)), default: []].insert(route.name)
        }
        return names
    }
}
