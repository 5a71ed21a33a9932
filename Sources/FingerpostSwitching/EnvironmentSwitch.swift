import FingerpostFiles
import FingerpostShared
import Foundation

/// Switches the environment of a process, stores the choice, and notifies listeners.
final class EnvironmentSwitch: Sendable {
    static let current = EnvironmentSwitch(of: .current, by: SwitchRules())

    private let process: ProcessEnvironment
    private let rules: SwitchRules
    /// Held until a choice has taken effect, so that the stored name is always the name of the last choice.
    private let choosing = NSLock()
    private let listeners = Locked<[(id: UUID, continuation: AsyncStream<String>.Continuation)]>([])

    init(of process: ProcessEnvironment, by rules: SwitchRules) {
        self.process = process
        self.rules = rules
    }

    /// See `Environment.choose(_:)`.
    func choose(_ name: String?) throws(EnvironmentError) {
        let usual = try process.usual()
        if let objection = rules.objection(over: usual) { throw objection }
        let target = name.flatMap { $0.isSame(as: usual.name) ? nil : $0 }
        var new: Environment?
        if let target { new = try rules.chosen(try process.environment(named: target)) }
        choosing.lock()
        defer { choosing.unlock() }
        do { try rules.name.write(target) } catch {
            throw EnvironmentError(
                .refused, "the choice of an environment cannot be kept: \(error.fileReason)",
                fix: "make the folder of the app's data writable")
        }
        guard process.replace(by: new, over: usual) else { return }
        for listener in listeners.withLock({ $0 }) { listener.continuation.yield((new ?? usual).name) }
    }

    /// See `Environment.changes`.
    var changes: AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            listeners.withLock { $0.append((id, continuation)) }
            continuation.onTermination = { [self] _ in listeners.withLock { $0.removeAll { $0.id == id } } }
        }
    }
}

extension Environment {
    /// Switches the process to another environment. The app's committed environment files must allow switching with
    /// `"$switchable": true`.
    ///
    /// From the next call on, `current`, the generated properties, and each client without an environment or a base URL
    /// of its own use the new environment. A call in progress keeps the environment in which it began. The switch does
    /// not affect the result of `load(_:from:)`.
    ///
    /// The choice is stored, and also applies to later launches of the app. An app extension makes its own choice. On
    /// tvOS, the choice is stored in the caches folder, which the system can delete.
    ///
    /// Credentials of one environment are not sent to the servers of another: in a chosen environment, a client sends
    /// its ``/Fingerpost/ClientConfiguration/authorization`` only if this authorization is
    /// ``/Fingerpost/Authorization/perEnvironment(_:)``.
    ///
    /// - Parameter name: the environment's name; nil for the environment that the rules select.
    /// - Throws: ``/Fingerpost/EnvironmentError`` if the environment does not exist, is sealed or cannot be loaded, if
    ///   the app does not allow switching, if the variable `APP_ENVIRONMENT` is set, or if the choice cannot be stored.
    ///   In tests, this method always throws: set the environment of the test's ``/Fingerpost/APIScope`` instead. After
    ///   an error, nothing has changed.
    public static func choose(_ name: String?) throws(EnvironmentError) {
        try EnvironmentSwitch.current.choose(name)
    }

    /// The name of each environment to which `choose(_:)` switches. After a switch, a model can log out and reload.
    /// Each loop receives the switches that happen after the loop has started. If a loop is slow and misses several
    /// switches, it receives only the latest of them.
    public static var changes: AsyncStream<String> { EnvironmentSwitch.current.changes }
}
