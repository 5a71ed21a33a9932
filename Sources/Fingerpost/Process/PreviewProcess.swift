import FingerpostFiles
import Foundation

/// Detects whether this process shows previews of Xcode, and where Xcode has put the resource bundles of a package
/// then.
enum PreviewProcess {
    /// True if the process shows previews.
    static func isCurrent(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        variables["XCODE_RUNNING_FOR_PREVIEWS"] == "1"
    }

    /// The folders with the resource bundles of the package whose previews this process shows; empty in other
    /// processes.
    ///
    /// Previews of a package's target run in an app of Xcode, which does not contain these bundles. Xcode tells the
    /// code that it generates for `Bundle.module` of them by the same variables, all of which are paths.
    static func folders(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> [URL] {
        guard isCurrent(variables) else { return [] }
        let one = ["PACKAGE_RESOURCE_BUNDLE_PATH", "PACKAGE_RESOURCE_BUNDLE_URL"].compactMap { variables[$0] }
        let several = (variables["__XCODE_BUILT_PRODUCTS_DIR_PATHS"] ?? "").words(between: ":").map(String.init)
        return (one + several).filter { !$0.isEmpty }.map { URL(fileURLWithPath: $0) }
    }
}
