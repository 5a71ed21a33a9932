import Fingerpost
import Foundation

extension Benchmark {
    /// The accessors that the plugin generates from `Benchmarks/Environments`, beside a lookup in a dictionary.
    ///
    /// By hand is the fastest lookup there is: a dictionary of one type and of paths, which needs neither a cast, as
    /// `[String: Any]` does, nor a second lookup for a nested key.
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
        // As many as the environment has.
        for number in 0..<8 { values["other\(number)"] = value }
        let dictionary = values
        return .sync("accessor-\(name)", target: 1.0, byHand: { dictionary[key] }, ours: ours)
    }
}
