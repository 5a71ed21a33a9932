import FingerpostDocuments
package import FingerpostFiles
import FingerpostShared
import Foundation

/// The contents of a mocks folder, indexed by name.
///
/// Names are compared byte for byte, as on Linux file systems. A comparison as `String` would treat the two Unicode
/// encodings of "é" as equal.
package struct MockListing: Sendable {
    package struct Entry: Sendable {
        package enum Kind: Sendable {
            case file, folder, link
            /// A pipe, a socket or a device.
            case other
            /// A folder whose contents cannot be listed.
            case closedFolder
            /// An entry whose name is not valid UTF-8, and whose `path` therefore contains replacement characters.
            case misnamed
        }

        /// The entry's path relative to the mocks folder.
        package let path: String
        package let kind: Kind
        /// A hash of the path up to the first dot in the file name, which all files of a mock share.
        fileprivate let group: UInt64

        init(path: String, kind: Kind) {
            self.path = path
            self.kind = kind
            group = MockListing.group(of: path)
        }

        /// True if this entry comes before a path in a listing.
        fileprivate func precedes(_ other: String, in otherGroup: UInt64) -> Bool {
            group == otherGroup ? path.precedes(other) : group < otherGroup
        }

        var isFolder: Bool { kind == .folder || kind == .closedFolder }

        /// True for an entry that a mock can use as its answer. Folders named like a body are included, so that a mock
        /// that uses one of these folders is reported as an error.
        var canAnswer: Bool { kind != .misnamed && (!isFolder || path.ends(with: MockFileName.bodySuffix)) }
    }

    /// The entries, ordered by group, and within a group by the bytes of their paths. To order all entries by their
    /// paths would take as long as to list the folder.
    private let entries: [Entry]
    /// Suggests names in the problems of the folder's files.
    let hints = NameHints()
    /// A cache of all mock names. The cache is filled when a lookup fails for the first time, because more failed
    /// lookups usually follow.
    let knownNames = Locked<[String]?>(nil)
    /// A cache of the entries of a group by type. It is filled for groups in which a mock's name has an extension.
    private let knownTypes = Locked<[UInt64: [ByteName: [Entry]]]>([:])
    /// A cache of the files of each mock. ``files(of:)`` fills it.
    let knownFiles = Locked<[ByteName: MockFiles]>([:])

    /// True if the folder contains the file with the scenarios, which is no mock and no entry of the listing.
    let hasScenarios: Bool

    init(_ all: [Entry]) {
        let scenarios = ByteName(MockFileName.scenarios)
        var entries = all
        entries.removeAll { ByteName($0.path) == scenarios }
        hasScenarios = entries.count < all.count
        self.entries = entries.sorted { $0.precedes($1.path, in: $1.group) }
    }

    /// The FNV-1a hash of a path up to the first dot in its file name. This hash is fast for short texts; if it is the
    /// same for other paths, the group is only larger.
    fileprivate static func group(of path: String) -> UInt64 {
        path.withBytes { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            var group: UInt64?
            for byte in bytes {
                if byte == UInt8(ascii: "/") { group = nil }
                if byte == UInt8(ascii: "."), group == nil { group = hash }
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return group ?? hash
        }
    }

    static func sorted(_ entries: [Entry]) -> [Entry] {
        entries.ordered { $0.path.precedes($1.path) }
    }

    /// All entries, in the byte order of their paths.
    package var sorted: [Entry] { Self.sorted(entries) }

    /// The folders whose contents cannot be listed, in the byte order of their paths.
    var closedFolders: [Entry] { Self.sorted(entries.filter { $0.kind == .closedFolder }) }

    /// The paths of all body and settings files, in byte order.
    package var files: [String] { sorted.filter { !$0.isFolder && $0.kind != .misnamed }.map(\.path) }

    package subscript(path: String) -> Entry? {
        let next = Self.entries(entries, from: path, in: Self.group(of: path)).first
        return next.flatMap { $0.path.isSame(as: path) ? $0 : nil }
    }

    /// True when `file` is the path of an entry in the listing, and the entry is not a folder.
    package func contains(_ file: String) -> Bool {
        self[file].map { !$0.isFolder && $0.kind != .misnamed } ?? false
    }

    /// The entries whose paths start with `start`, in the order of their paths.
    ///
    /// - Parameter start: the start of the paths, which must contain a dot after the last slash.
    func entries(startingWith start: String) -> some Sequence<Entry> {
        Self.entries(entries, from: start, in: Self.group(of: start)).prefix { $0.path.begins(with: start) }
    }

    /// Like `entries(startingWith:)`, but only the bodies with this extension, and the settings of such bodies.
    func entries(startingWith start: String, type: String) -> some Sequence<Entry> {
        let group = Self.group(of: start)
        let types = knownTypes.withLock { known in
            if let types = known[group] { return types }
            let members = Self.entries(entries, from: "", in: group).prefix { $0.group == group }
            var types: [ByteName: [Entry]] = [:]
            for entry in members { types[ByteName(MockFileName.type(of: entry.path)), default: []].append(entry) }
            known[group] = types
            return types
        }
        return Self.entries(types[ByteName(type)] ?? [], from: start, in: group).prefix { $0.path.begins(with: start) }
    }

    /// The entries from a path on.
    ///
    /// - Parameter entries: entries in the order of a listing.
    private static func entries(_ entries: [Entry], from path: String, in group: UInt64) -> ArraySlice<Entry> {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].precedes(path, in: group) { low = middle + 1 } else { high = middle }
        }
        return entries[low...]
    }
}

extension MockListing {
    /// Decides which mock a file belongs to, and which of the mock's variants the file provides.
    ///
    /// A file name with several dots can be parsed in several ways. Of the following rules, the first that applies to
    /// the file decides:
    ///
    /// 1. If a route names a mock that the file can belong to, the file belongs to this mock: when a route names
    ///    `login.locked`, the file `login.locked.json` is the mock `login.locked`. If the file can belong to several
    ///    mocks that routes name, it belongs to the mock with the longest name.
    /// 2. If the file can be a variant of a mock with a default answer, the file is a variant of this mock. If the file
    ///    can be a variant of several mocks with a default answer, it is a variant of the mock with the shortest name.
    /// 3. If the file's name ends in a status, as in `logout.404.json`, the file is the variant `404` of the mock
    ///    `logout`, although this mock has no default answer.
    /// 4. A file to which no other rule applies is a separate mock. The mock of `ticker.events` is `ticker`, unless a
    ///    route names `ticker.events`.
    ///
    /// - Parameter names: the mock names that routes use.
    package func owner(of file: String, named names: Set<ByteName> = []) -> MockFileName {
        let readings = MockFileName.readings(of: file)
        let variants = readings.filter { $0.variant != nil }
        let owner =
            readings.first { names.contains(ByteName($0.mock)) } ?? variants.last { files(of: $0.mock).hasUsual }
            ?? variants.first(where: \.isOfStatus) ?? MockFileName(ownMock: file)
        return owner.variant != nil && files(of: owner.mock).has(file, as: nil) ? owner.usual : owner
    }

    /// The names of all mocks, in the order of their files.
    package var mockNames: [String] {
        knownNames.withLock { known in
            if let known { return known }
            var seen: Set<ByteName> = []
            let names = files.map { owner(of: $0).mock }.filter { seen.insert(ByteName($0)).inserted }
            known = names
            return names
        }
    }
}
