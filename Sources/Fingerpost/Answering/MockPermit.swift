import Foundation

/// Keeps mocks from answering in an app that was shipped by mistake with a testing environment.
enum MockPermit {
    /// - Throws: ``APIError`` of the kind `mock` in a release build, unless it runs tests or a preview, or somebody asked for mocks in
    ///   so many words: `$network` in the file, or the scope's network.
    static func check(_ environment: Environment?, _ scope: APIScope?) throws(APIError) {
        guard isRelease, !isAsked(environment, scope), !isTestOrPreview else { return }
        throw APIError(
            .mock,
            """
            mocks would answer in a release build, outside of tests and previews, so nothing was answered and nothing sent
            """,
            fix: """
                select another environment; for a demo that answers from mocks write "$network": "sealed" into \
                \(environment?.path ?? "the environment's file")
                """)
    }

    /// True when an environment or a scope says how calls are answered, and not only a description.
    static func isAsked(_ environment: Environment?, _ scope: APIScope?) -> Bool {
        scope?.network == .sealed || environment?.calls.saysNetwork == true && environment?.network == .sealed
    }

    private static let isTestOrPreview =
        TestProcess.isCurrent || ProcessInfo.processInfo.environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1"

    private static var isRelease: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }
}
