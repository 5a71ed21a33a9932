import FingerpostFiles
import Foundation

/// Switches the environment of a process, keeps the choice, and tells who listens.
final class EnvironmentSwitch: Sendable {
    static let current = EnvironmentSwitch(of: .current, keptIn: .ofProcess)

    private let process: ProcessEnvironment
    private let name: ChosenName
    private let listeners = Locked<[(id: UUID, continuation: AsyncStream<String>.Continuation)]>([])

    init(of process: ProcessEnvironment, keptIn name: ChosenName) {
        self.process = process
        self.name = name
    }

    /// See `Environment.choose(_:)`.
    func choose(_ name: String?) throws(EnvironmentError) {
        try process.replace(by: name, keeping: self.name.write) { new in
            for listener in listeners.withLock({ $0 }) { listener.continuation.yield(new) }
        }
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
