// Finishes a call when the user leaves the app, or the system suspends an extension. Copy this file into your app.
#if canImport(UIKit) && !os(watchOS)
    import Dispatch
    import Fingerpost
    import Foundation
    import UIKit

    nonisolated extension APIClient {
        /// Sends a route, also if the user leaves the app meanwhile.
        @MainActor func finish(_ route: Route) async throws {
            let call = Task { try await send(route) }
            let app = UIApplication.shared
            var time = UIBackgroundTaskIdentifier.invalid
            time = app.beginBackgroundTask {
                call.cancel()
                app.endBackgroundTask(time)
                time = .invalid
            }
            defer { app.endBackgroundTask(time) }
            try await call.value
        }
    }

    nonisolated extension APIClient {
        func finishInExtension(_ route: Route) async throws {
            let call = Task { try await send(route) }
            let done = DispatchSemaphore(value: 0)
            ProcessInfo.processInfo.performExpiringActivity(
                withReason: "call"
            ) { @Sendable expired in
                if expired { call.cancel() } else { done.wait() }
            }
            defer { done.signal() }
            try await call.value
        }
    }
#endif
