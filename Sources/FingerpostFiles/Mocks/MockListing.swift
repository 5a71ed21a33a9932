import Foundation

/// The contents of a mocks folder, indexed by name.
///
/// Names are compared byte for byte, as on Linux file systems. A comparison as `String` would treat the two Unicode
/// encodings of "é" as equal.
struct MockListing: Sendable {
    struct Entry: Sendable {
        enum Kind: Sendable {
            case file, folder, link
            /// A pipe, a socket or a device.
            case other
            /// A folder whose contents cannot be listed.
            case closedFolder
            /// An entry whose name is not valid UTF-8, and whose `path` therefore contains replacement characters.
            case misnamed
        }

        /// The entry's path relative to the mocks folder.
        let path: String
        let kind: Kind

        var isFolder: Bool { kind == .folder || kind == .closedFolder }

        /// True for an entry that a mock can use as its answer. Folders named like a body are included, so that a mock
        /// that uses one of these folders is reported as an error.
        var canAnswer: Bool { kind != .misnamed && (!isFolder || path.ends(with: MockFileName.bodySuffix)) }
    }

    private let entries: [Entry]
    /// The entries, grouped by a hash of the path up to the first dot in the file name. All files of a mock share this
    /// part of the path. The entries are grouped instead of sorted, because sorting would take as long as listing the
    /// folder.
    private let groups: [Int: [Entry]]
    /// A cache of all mock names. The cache is filled when a lookup fails for the first time, because more failed
    /// lookups usually follow.
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

    /// All entries, in the byte order of their paths.
    var sorted: [Entry] {
        entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The paths of all body and settings files, in byte order.
    var files: [String] { sorted.filter { !$0.isFolder && $0.kind != .misnamed }.map(\.path) }

    subscript(path: String) -> Entry? {
        groups[Self.group(of: path)]?.first { $0.path.isSame(as: path) }
    }

    /// True when `file` is the path of an entry in the listing, and the entry is not a folder.
    func contains(_ file: String) -> Bool {
        self[file].map { !$0.isFolder && $0.kind != .misnamed } ?? false
    }

    /// The entries whose paths start with `start`, in the order of their paths.
    ///
    /// - Parameter start: the start of the paths, which must contain a dot after the last slash.
    func entries(startingWith start: String) -> [Entry] {
        (groups[Self.group(of: start)] ?? []).filter { $0.path.begins(with: start) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
