import Foundation

extension URL {
    /// The name of a file and of the folder it is in: `Mocks/user.json`.
    var inFolder: String { pathComponents.suffix(2).joined(separator: "/") }
}
