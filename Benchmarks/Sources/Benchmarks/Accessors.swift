import Fingerpost
import Foundation

extension Benchmark {
    /// The accessors that the plugin generates from `Benchmarks/Environments`, compared with lookups in a dictionary.
    ///
    /// The hand-written version is the fastest possible lookup: a dictionary with one value type and whole key paths.
    /// It needs neither the cast of `[String: Any]` nor a second lookup for a nested key.
    static func accessors() throws -> [Benchmark] {
        let environment = try Environment.load("Benchmarks")
        return [
            accessor("int", "retries", environment.retries) { environment.retries },
            accessor("bool", "usesCache", environment.usesCache) { environment.usesCache },
            accessor("double", "timeout", environment.timeout) { environment.timeout },
            accessor("string", "greeting", environment.greeting) { environment.greeting },
            accessor("url", "baseURL", environment.baseURL) { environment.baseURL },
            accessor("nested", "analytics.host", environment.analytics.host) { environment.analytics.host },
            accessor("list", "analytics.events", environment.analytics.events) { environment.analytics.events },
        ]
    }

    private static func accessor<Value: Sendable>(
        _ name: String, _ key: String, _ value: Value, ours: @escaping @Sendable () -> Value
    ) -> Benchmark {
        var values = [key: value]
        // The dictionary has about as many keys as the environment.
        for number in 0..<8 { values["other\(number)"] = value }
        let dictionary = values
        return .sync("accessor-\(name)", target: 1.0, byHand: { dictionary[key] }, ours: ours)
    }
}
