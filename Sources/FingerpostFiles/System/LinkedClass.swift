import Foundation

/// A class of a module that the process may lack. The class is found by its name, so that this library works without
/// the module.
///
/// A linker takes from a static archive only the code that other code refers to. Other code refers to a class like this
/// only by the class's name, so the linker leaves the class out. SwiftPM and Xcode link the object files of a package
/// without an archive. Tuist and Bazel create archives. With `-ObjC` (`--whole-archive` on Linux), the linker takes all
/// classes from an archive.
///
/// An app that hosts tests can search for the class before its test bundle is loaded, so the result of the search is
/// stored only if the class was found.
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
