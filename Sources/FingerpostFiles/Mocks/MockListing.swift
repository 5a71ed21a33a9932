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
    /// The entries, grouped by a hash of the path up to the first dot in the file name, which all files of a mock
    /// share. Each group is in the byte order of the paths. Sorting all entries instead would take as long as listing
    /// the folder.
    private let groups: [Int: [Entry]]
    /// Suggests names in the problems of the folder's files.
    let hints = NameHints()
    /// A cache of all mock names. The cache is filled when a lookup fails for the first time, because more failed
    /// lookups usually follow.
    let knownNames = Locked<[String]?>(nil)
    /// A cache of the entries of a group by type. It is filled for groups in which a mock's name has an extension.
    private let knownTypes = Locked<[Int: [ByteName: [Entry]]]>([:])
    /// A cache of the files of each mock. ``files(of:)`` fills it.
    let knownFiles = Locked<[ByteName: MockFiles]>([:])

    init(_ entries: [Entry]) {
        self.entries = entries
        var groups = Dictionary(grouping: entries) { Self.group(of: $0.path) }
        for (number, group) in groups.filter({ $0.value.count > 1 }) { groups[number] = Self.sorted(group) }
        self.groups = groups
    }

    private static func group(of path: String) -> Int {
        path.withBytes { bytes in
            let name = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
            let dot = bytes[name...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<dot]))
            return hasher.finalize()
        }
    }

    static func sorted(_ entries: [Entry]) -> [Entry] {
        entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// All entries, in the byte order of their paths.
    var sorted: [Entry] { Self.sorted(entries) }

    /// The folders whose contents cannot be listed, in the byte order of their paths.
    var closedFolders: [Entry] { Self.sorted(entries.filter { $0.kind == .closedFolder }) }

    /// The paths of all body and settings files, in byte order.
    var files: [String] { sorted.filter { !$0.isFolder && $0.kind != .misnamed }.map(\.path) }

    subscript(path: String) -> Entry? {
        Self.entries(of: groups[Self.group(of: path)], from: path).first.flatMap { $0.path.isSame(as: path) ? $0 : nil }
    }

    /// True when `file` is the path of an entry in the listing, and the entry is not a folder.
    func contains(_ file: String) -> Bool {
        self[file].map { !$0.isFolder && $0.kind != .misnamed } ?? false
    }

    /// The entries whose paths start with `start`, in the order of their paths.
    ///
    /// - Parameter start: the start of the paths, which must contain a dot after the last slash.
    func entries(startingWith start: String) -> some Sequence<Entry> {
        Self.entries(of: groups[Self.group(of: start)], from: start).prefix { $0.path.begins(with: start) }
    }

    /// Like `entries(startingWith:)`, but only the bodies with this extension, and the settings of such bodies.
    func entries(startingWith start: String, type: String) -> some Sequence<Entry> {
        let number = Self.group(of: start)
        let types = knownTypes.withLock { known in
            if let types = known[number] { return types }
            let types = Dictionary(grouping: groups[number] ?? []) { ByteName(MockFileName.type(of: $0.path)) }
            known[number] = types
            return types
        }
        return Self.entries(of: types[ByteName(type)], from: start).prefix { $0.path.begins(with: start) }
    }

    /// The entries that do not precede a path.
    ///
    /// - Parameter group: entries in the order of their paths.
    private static func entries(of group: [Entry]?, from path: String) -> ArraySlice<Entry> {
        let group = group ?? []
        var (low, high) = (0, group.count)
        while low < high {
            let middle = (low + high) / 2
            if group[middle].path.utf8.lexicographicallyPrecedes(path.utf8) { low = middle + 1 } else { high = middle }
        }
        return group[low...]
    }
}
