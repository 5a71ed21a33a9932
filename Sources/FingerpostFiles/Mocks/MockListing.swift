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
    /// The last entry of each group, and for each entry the one before it in its group. Entries are in one group where their paths
    /// have the same hash up to the first dot of the name: all files of a mock are. To sort the folder would take as long as to list it.
    private let last: [UInt64: Int]
    private let previous: [Int?]
    /// The names of all mocks once somebody has asked: who misses one mock may miss many.
    let knownNames = Locked<[String]?>(nil)

    init(_ entries: [Entry]) {
        self.entries = entries
        var last: [UInt64: Int] = [:]
        last.reserveCapacity(entries.count)
        previous = entries.indices.map { last.updateValue($0, forKey: Self.group(of: entries[$0].path)) }
        self.last = last
    }

    /// FNV-1a over a path up to the first dot behind its last slash.
    private static func group(of path: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var group: UInt64?
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/") { group = nil }
            if byte == UInt8(ascii: "."), group == nil { group = hash }
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return group ?? hash
    }

    /// In the order of the bytes of their paths.
    var sorted: [Entry] {
        entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The bodies and settings, in the order of their paths.
    var files: [String] { sorted.filter { !$0.isFolder && $0.kind != .misnamed }.map(\.path) }

    subscript(path: String) -> Entry? {
        var index = last[Self.group(of: path)]
        while let found = index {
            if entries[found].path.isSame(as: path) { return entries[found] }
            index = previous[found]
        }
        return nil
    }

    /// True for anything but a folder.
    func contains(_ file: String) -> Bool {
        self[file].map { !$0.isFolder && $0.kind != .misnamed } ?? false
    }

    /// The entries that begin alike, in the order of their paths.
    ///
    /// - Parameter start: with a dot behind its last slash.
    func entries(startingWith start: String) -> [Entry] {
        var found: [Entry] = []
        var index = last[Self.group(of: start)]
        while let next = index {
            if entries[next].path.begins(with: start) { found.append(entries[next]) }
            index = previous[next]
        }
        return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
