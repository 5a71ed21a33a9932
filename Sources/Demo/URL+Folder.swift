import Foundation

extension URL {
    /// The folder's name and the file's name: `Mocks/user.json`.
    var inFolder: String { pathComponents.suffix(2).joined(separator: "/") }
}
