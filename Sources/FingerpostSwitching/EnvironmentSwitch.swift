import FingerpostFiles
import FingerpostShared
import Foundation

/// Switches the environment of a process, keeps the choice, and tells who listens.
final class EnvironmentSwitch: Sendable {
    static let current = EnvironmentSwitch(of: .current, by: SwitchRules())

    private let process: ProcessEnvironment
    private let rules: SwitchRules
    /// Held while a choice takes effect, so that the kept name is that of the last choice.
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
    /// Switches the process to another environment, in an app whose committed files allow it: `"$switchable": true`.
    ///
    /// `current`, the generated properties, and each client that was not given an environment or a base URL of its
    /// own follow from the next call on. Calls in progress end where they began. The choice is kept for the next
    /// launch, of this process: an app extension chooses for itself. On tvOS, it is in the caches, which the system may
    /// delete. `load(_:from:)` does not follow.
    ///
    /// Credentials do not follow: a client sends its ``/Fingerpost/ClientConfiguration/authorization`` in another
    /// environment only if it is ``/Fingerpost/Authorization/perEnvironment(_:)``.
    ///
    /// - Parameter name: the environment's name; nil for the environment that the rules select.
    /// - Throws: ``/Fingerpost/EnvironmentError`` if the environment does not exist, is sealed or cannot be loaded; if
    ///   the app does not allow it; in tests, which set the environment of their ``/Fingerpost/APIScope`` instead; and
    ///   if the choice cannot be kept. Nothing changes then.
    public static func choose(_ name: String?) throws(EnvironmentError) {
        try EnvironmentSwitch.current.choose(name)
    }

    /// The names of the environments that `choose(_:)` switches to from now on, for a model that logs out and
    /// reloads. Each loop gets the switches after its start. A loop that is slow skips all but the latest one.
    public static var changes: AsyncStream<String> { EnvironmentSwitch.current.changes }
}
