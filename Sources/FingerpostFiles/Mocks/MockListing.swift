import Foundation

/// What is in a folder of mocks, by name.
///
/// Names are compared byte for byte, as Linux does: for `String` two ways to write "é" are one name.
struct MockListing: Sendable {
    struct Entry: Sendable {
        enum Kind: Sendable {
            case file, folder, link
            /// A pipe, a socket, a device.
            case other
            /// A folder that cannot be listed.
            case closedFolder
            /// Its name is not UTF-8 and shown with replacements.
            case misnamed
        }

        /// Below the folder of the mocks.
        let path: String
        let kind: Kind

        var isFolder: Bool { kind == .folder || kind == .closedFolder }

        /// A folder that is named like a body is taken for one, so that it is told that it is none.
        var canAnswer: Bool { kind != .misnamed && (!isFolder || path.ends(with: MockFileName.bodySuffix)) }
    }

    private let entries: [Entry]
    /// The entries by the hash of their paths up to the first dot of the name, where all files of a mock are equal. To
    /// sort the folder would take as long as to list it.
    private let groups: [Int: [Entry]]
    /// The names of all mocks once somebody has asked: who misses one mock may miss many.
    let knownNames = Locked<[String]?>(nil)

    init(_ entries: [Entry]) {
        self.entries = entries
        groups = Dictionary(grouping: entries) { Self.group(of: $0.path) }
    }

    private static func group(of path: String) -> Int {
        var path = path
        return path.withUTF8 { bytes in
            let name = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
            let dot = bytes[name...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<dot]))
            return hasher.finalize()
        }
    }

    /// In the order of the bytes of their paths.
    var sorted: [Entry] {
        entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The bodies and settings, in the order of their paths.
    var files: [String] { sorted.filter { !$0.isFolder && $0.kind != .misnamed }.map(\.path) }

    subscript(path: String) -> Entry? {
        groups[Self.group(of: path)]?.first { $0.path.isSame(as: path) }
    }

    /// True for anything but a folder.
    func contains(_ file: String) -> Bool {
        self[file].map { !$0.isFolder && $0.kind != .misnamed } ?? false
    }

    /// The entries that begin alike, in the order of their paths.
    ///
    /// - Parameter start: with a dot behind its last slash.
    func entries(startingWith start: String) -> [Entry] {
        (groups[Self.group(of: start)] ?? []).filter { $0.path.begins(with: start) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
