import FingerpostDocuments
package import FingerpostFiles
import FingerpostShared
package import Foundation

/// Finds the mocks of a folder by name and variant. The folder is listed once. Settings and bodies are read once, when
/// the first call needs them.
///
/// Names are compared byte for byte, as on Linux file systems. A name in the wrong letter case therefore finds no mock,
/// even on a file system that ignores letter case. A comparison as `String` would treat the two Unicode encodings of
/// "é" as equal.
package final class MockIndex: Sendable {
    /// The mocks folder's name in a package or target.
    package static let name = FilePath.mocks

    /// The reason why a mock could not answer a call. Such a call fails, and is not sent to a server.
    package enum Failure: Error, Sendable {
        /// The requested name is not a valid mock name.
        case malformedName(objection: String)
        /// The folder contains no mock with the requested name. `nearest` contains up to three similar names, most
        /// similar first.
        case notFound(nearest: [String])
        /// The mock exists, but has no variant with the requested name. `nearest` contains all of the mock's variants,
        /// most similar first.
        case noVariant(nearest: [String])
        /// The mock's settings are invalid or name a missing body, or two files provide the same response.
        case invalid([FileProblem])
        /// The mock's body cannot be read.
        case unreadable(FileProblem)
    }

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
        /// A hash of the path up to the first dot in the file name. All files of a mock share this hash.
        fileprivate let group: UInt64

        init(path: String, kind: Kind) {
            self.path = path
            self.kind = kind
            group = Self.group(of: path)
        }

        /// The FNV-1a hash of a path up to the first dot in its file name. This hash is fast for short texts. If two
        /// paths have the same hash by chance, their files only share a group.
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

        /// True if this entry comes before a path in the index.
        fileprivate func precedes(_ other: String, in otherGroup: UInt64) -> Bool {
            group == otherGroup ? path.precedes(other) : group < otherGroup
        }

        fileprivate var isFolder: Bool { kind == .folder || kind == .closedFolder }

        /// True for a body or a settings file.
        fileprivate var isFile: Bool { !isFolder && kind != .misnamed }

        /// True for an entry that a mock can use for its response. A folder with the name of a body file is included,
        /// so that a mock that uses this folder fails with an error.
        fileprivate var canAnswer: Bool {
            kind != .misnamed && (!isFolder || path.ends(with: MockFileName.bodySuffix))
        }
    }

    /// The names that a route's mock can have.
    private struct Names: Hashable {
        let name: ByteName
        var other: ByteName?
    }

    package let url: URL
    /// True for the top level of a bundle. Most files there belong to the app, so a file counts as a mock only if a
    /// route's mock has the name of the file, and messages suggest no names from there.
    package let isTopLevel: Bool
    /// The entries, sorted by group. Within a group, the entries are sorted by the bytes of their paths. The groups are
    /// sorted by hash, because sorting all entries by their paths would take as long as listing the folder.
    private let entries: [Entry]
    /// True if the folder contains the file with the scenarios. This file is not an entry.
    let hasScenarios: Bool
    /// Finds similar names, which the problems of the folder's files suggest.
    let hints = NameHints()
    private let stubs = Locked<[Names: MockStub]>([:])
    /// The names of all mocks. After the first look-up that finds no mock, the names are stored, because more such
    /// look-ups usually follow.
    private let knownNames = Locked<[String]?>(nil)
    /// The entries of each group in which a mock's name contains an extension, keyed by group and extension.
    private let knownTypes = Locked<[UInt64: [ByteName: [Entry]]]>([:])
    let knownScenarios = Locked<Result<MockScenarios, InvalidFile>?>(nil)
    let bodies = Locked<[ByteName: StubBody]>([:])

    /// - Throws: an error when the folder cannot be listed.
    package convenience init(url: URL, isTopLevel: Bool = false) throws(FileProblem) {
        self.init(url: url, isTopLevel: isTopLevel, entries: try Self.entries(below: url))
    }

    /// - Parameter all: the contents of the folder.
    init(url: URL, isTopLevel: Bool = false, entries all: [Entry]) {
        self.url = url
        self.isTopLevel = isTopLevel
        let scenarios = ByteName(MockFileName.scenarios)
        var entries = all
        entries.removeAll { ByteName($0.path) == scenarios }
        hasScenarios = entries.count < all.count
        self.entries = entries.sorted { $0.precedes($1.path, in: $1.group) }
    }

    // MARK: Entries

    /// All entries, sorted by the bytes of their paths.
    package var sortedEntries: [Entry] { Self.sorted(entries) }

    private static func sorted(_ entries: [Entry]) -> [Entry] { entries.ordered { $0.path.precedes($1.path) } }

    /// The problem of an inner folder that could not be listed. Nil if all folders could be listed.
    package var unlistedFolder: FileProblem? {
        Self.sorted(entries.filter { $0.kind == .closedFolder }).first.map { entry in
            FileProblem(path: path(of: entry.path), message: "the folder cannot be read", fix: "make it readable")
        }
    }

    /// The paths of all body and settings files, sorted by bytes.
    package var fileNames: [String] { Self.sorted(entries.filter(\.isFile)).map(\.path) }

    /// ``fileNames``, and the path of the file with the scenarios.
    package var allFileNames: [String] { fileNames + (hasScenarios ? [MockFileName.scenarios] : []) }

    package subscript(path: String) -> Entry? {
        let next = Self.entries(entries, from: path, in: Entry.group(of: path)).first
        return next.flatMap { $0.path.isSame(as: path) ? $0 : nil }
    }

    /// Returns true if a path is the path of an entry that is not a folder.
    package func hasFile(_ file: String) -> Bool { self[file]?.isFile == true }

    /// Returns the files of a mock, sorted by path. If the name of a file equals the mock's name, the file is left out.
    func files(of mock: String) -> [MockFileName] {
        let start = mock + "."
        let group = Entry.group(of: start)
        var found = Array(Self.entries(entries, from: start, in: group).prefix { $0.path.begins(with: start) })
        if let (stem, type) = MockFileName.extensionParts(of: mock) {
            // Find variants of a mock with an extension, such as `avatar.small.png` of the mock `avatar.png`.
            let typed = Self.entries(typed(type, in: group), from: stem, in: group).prefix {
                $0.path.begins(with: stem)
            }
            found = Self.sorted(found + typed.filter { !$0.path.begins(with: start) })
        }
        return found.compactMap {
            $0.canAnswer && !$0.path.isSame(as: mock) ? MockFileName($0.path, of: mock) : nil
        }
    }

    /// Returns the bodies in a group that have the given extension, and the settings of these bodies.
    private func typed(_ type: String, in group: UInt64) -> [Entry] {
        knownTypes.withLock { known in
            if known[group] == nil {
                var types: [ByteName: [Entry]] = [:]
                for entry in Self.entries(entries, from: "", in: group).prefix(while: { $0.group == group }) {
                    types[ByteName(MockFileName.type(of: entry.path)), default: []].append(entry)
                }
                known[group] = types
            }
            return known[group]?[ByteName(type)] ?? []
        }
    }

    /// Returns the entries from the position of a path on.
    ///
    /// - Parameter entries: entries in the order of an index.
    private static func entries(_ entries: [Entry], from path: String, in group: UInt64) -> ArraySlice<Entry> {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].precedes(path, in: group) { low = middle + 1 } else { high = middle }
        }
        return entries[low...]
    }

    // MARK: Mocks

    /// Returns the mock with the first given name that has files. If no name has files, returns an empty mock with the
    /// last name. Each mock is created once.
    package func stub(named name: String, or other: String? = nil) -> MockStub {
        var names = Names(name: ByteName(name), other: nil)
        if let other { names.other = ByteName(other) }
        if let known = stubs.withLock({ $0[names] }) { return known }
        var stub = other == nil ? MockStub(name, in: self) : self.stub(named: name)
        if let other, !stub.exists { stub = self.stub(named: other) }
        return stubs.withLock { stubs in
            // All calls share one mock, so that its files are read once.
            if let first = stubs[names] { return first }
            stubs[names] = stub
            return stub
        }
    }

    /// The names that messages can suggest. At the top level of a bundle, there are none, because most files there
    /// belong to the app.
    package var mockNames: [String] { isTopLevel ? [] : allNames }

    /// The names of all mocks in the folder, in the order of their files.
    var allNames: [String] {
        if let known = knownNames.withLock({ $0 }) { return known }
        var seen: Set<ByteName> = []
        let names = fileNames.map { owner(of: $0).mock }.filter { seen.insert(ByteName($0)).inserted }
        knownNames.withLock { $0 = names }
        return names
    }

    /// Decides to which mock a file belongs, and which variant of this mock the file provides.
    ///
    /// A file name with several dots can be parsed in several ways. Of the following rules, the first that applies to
    /// the file decides:
    ///
    /// 1. If a route names a mock that the file can belong to, the file belongs to this mock. For example, if a route
    ///    names `login.locked`, the file `login.locked.json` is the mock `login.locked`. If the file can belong to
    ///    several mocks that routes name, it belongs to the mock with the longest name.
    /// 2. If the file can be a variant of a mock with a default response, the file is a variant of this mock. If the
    ///    file can be a variant of several mocks with a default response, it is a variant of the mock with the shortest
    ///    name.
    /// 3. If the file's name ends in a status, as in `logout.404.json`, the file is the variant `404` of the mock
    ///    `logout`, although this mock has no default response.
    /// 4. A file to which no other rule applies is a separate mock. The mock of `ticker.events` is `ticker`, unless a
    ///    route names `ticker.events`.
    ///
    /// - Parameter names: the mock names that routes use.
    package func owner(of file: String, named names: Set<ByteName> = []) -> MockFileName {
        let readings = MockFileName.readings(of: file)
        let variants = readings.filter { $0.variant != nil }
        let owner =
            readings.first { names.contains(ByteName($0.mock)) } ?? variants.last { stub(named: $0.mock).hasUsual }
            ?? variants.first(where: \.isOfStatus) ?? MockFileName(ownMock: file)
        return owner.variant != nil && stub(named: owner.mock).has(file, as: nil) ? owner.usual : owner
    }
}
