// Declares what the samples use of UIKit, and what Foundation adds to it on the platforms that have UIKit.
public import Foundation

public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier()
}

@MainActor public final class UIApplication {
    public static let shared = UIApplication()

    public nonisolated func beginBackgroundTask(
        expirationHandler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { .invalid }
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

extension ProcessInfo {
    public func performExpiringActivity(withReason reason: String, using block: @escaping (Bool) -> Void) {}
}
