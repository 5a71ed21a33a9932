import Foundation

extension URL {
    /// The file's name after the name of its folder: `Mocks/user.json`.
    var inFolder: String { pathComponents.suffix(2).joined(separator: "/") }
}
