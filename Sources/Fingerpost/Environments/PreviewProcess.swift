import FingerpostFiles
import Foundation

/// Detects whether this process shows Xcode previews, and finds the folders in which Xcode has put the resource bundles
/// of the previewed package.
enum PreviewProcess {
    /// True if the process shows previews.
    static func isCurrent(_ variables: [String: String]) -> Bool { variables["XCODE_RUNNING_FOR_PREVIEWS"] == "1" }

    /// The folders with the resource bundles of the package whose previews this process shows; empty in other
    /// processes.
    ///
    /// Previews of a package's target run in an app that belongs to Xcode and does not contain these bundles. The code
    /// that Xcode generates for `Bundle.module` reads the same variables, all of which are paths.
    static var folders: [URL] {
        // Copy all variables only in a preview, because the copy takes longer than the rest of the search for bundles.
        getenv("XCODE_RUNNING_FOR_PREVIEWS") == nil ? [] : folders(ProcessInfo.processInfo.environment)
    }

    static func folders(_ variables: [String: String]) -> [URL] {
        guard isCurrent(variables) else { return [] }
        let one = ["PACKAGE_RESOURCE_BUNDLE_PATH", "PACKAGE_RESOURCE_BUNDLE_URL"].compactMap { variables[$0] }
        let several = (variables["__XCODE_BUILT_PRODUCTS_DIR_PATHS"] ?? "").words(between: ":").map(String.init)
        return (one + several).filter { !$0.isEmpty }.map { URL(fileURLWithPath: $0) }
    }
}
