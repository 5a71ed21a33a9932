import Foundation

/// A class of a module that the process may lack. The class is found by its name, so that this library works without
/// the module.
///
/// A linker takes from a static archive only what something refers to, and nothing refers to such a class by more than
/// its name. SwiftPM and Xcode link the object files of a package themselves. Tuist and Bazel make archives, from which
/// the linker takes all classes with `-ObjC` (with `--whole-archive` on Linux).
///
/// An app that hosts tests can ask before its test bundle is loaded, so only a positive answer is remembered.
package final class LinkedClass<Class: Sendable>: Sendable {
    private let find: @Sendable () -> Class?
    private let found = Locked<Class?>(nil)

    /// - Parameter name: the name of the class with its module.
    package convenience init(_ name: String) { self.init { NSClassFromString(name) as? Class } }

    /// - Parameter find: looks for the class in the process.
    init(find: @escaping @Sendable () -> Class?) { self.find = find }

    /// The class; nil if the process does not contain the class.
    package var value: Class? {
        found.withLock { found in
            found = found ?? find()
            return found
        }
    }
}
