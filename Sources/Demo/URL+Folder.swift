import Foundation

extension URL {
    /// The file's name with the name of its folder, such as `Mocks/user.json`.
    var inFolder: String { pathComponents.suffix(2).joined(separator: "/") }
}
