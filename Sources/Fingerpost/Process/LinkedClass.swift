import FingerpostFiles
import Foundation

/// A class of a module that the process may contain or not. It is found by its name, so that this library works without
/// the module.
///
/// An app that hosts tests can ask before its test bundle is loaded, so only a positive answer is remembered.
final class LinkedClass<Class: Sendable>: Sendable {
    private let name: String
    private let found = Locked<Class?>(nil)

    /// - Parameter name: the name of the class with its module.
    init(_ name: String) {
        self.name = name
    }

    /// The class; nil if the process does not contain it.
    var value: Class? {
        found.withLock { found in
            if let found { return found }
            found = NSClassFromString(name) as? Class
            return found
        }
    }
}
