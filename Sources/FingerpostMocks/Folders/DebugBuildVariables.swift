import FingerpostFiles
import Foundation

/// The environment variables with which another process, such as a UI test, chooses the mocks of this one: `MOCKS_DIR`,
/// `MOCKS_SCENARIO`, `MOCKS_VARIANTS` and `MOCKS_CONTROL`. A release build reads none of them.
enum DebugBuildVariables {
    /// The value of a variable; nil if the variable is not set or empty, and in a release build.
    static func value(_ name: String) -> String? {
        #if DEBUG
            return ProcessInfo.processInfo.environment[variable: name]
        #else
            return nil
        #endif
    }
}
