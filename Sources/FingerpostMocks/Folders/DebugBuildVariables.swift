import FingerpostFiles
import Foundation

/// The environment variables `MOCKS_DIR`, `MOCKS_SCENARIO`, `MOCKS_VARIANTS` and `MOCKS_CONTROL`. With these variables,
/// another process, such as a UI test, chooses the mocks of this process. A release build reads none of them.
enum DebugBuildVariables {
    /// Returns the value of a variable. Returns nil if the variable is empty or not set, and in a release build.
    static func value(_ name: String) -> String? {
        #if DEBUG
            return ProcessInfo.processInfo.environment[variable: name]
        #else
            return nil
        #endif
    }
}
