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

    /// All that is not hidden, in the order of the bytes of their paths.
    let entries: [Entry]

    init(_ entries: some Sequence<Entry>) {
        self.entries = entries.filter { !MockFileName.isHidden($0.path) }.sorted { Self.precedes($0.path, $1.path) }
    }

    /// The bodies and settings, in the order of their paths.
    var files: [String] { entries.filter { !$0.isFolder && $0.kind != .misnamed }.map(\.path) }

    subscript(path: String) -> Entry? {
        let index = firstIndex(notBefore: path)
        guard index < entries.count, entries[index].path.isSame(as: path) else { return nil }
        return entries[index]
    }

    /// True for anything but a folder.
    func contains(_ file: String) -> Bool {
        self[file].map { !$0.isFolder && $0.kind != .misnamed } ?? false
    }

    func entries(startingWith prefix: String) -> ArraySlice<Entry> {
        let start = firstIndex(notBefore: prefix)
        let end = entries[start...].firstIndex { !$0.path.starts(with: prefix) } ?? entries.count
        return entries[start..<end]
    }

    private func firstIndex(notBefore path: String) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(entries[middle].path, path) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Like `lexicographicallyPrecedes`, three times as fast: a folder is sorted before its first mock is found.
    private static func precedes(_ a: String, _ b: String) -> Bool {
        let result = a.utf8.withContiguousStorageIfAvailable { a in
            b.utf8.withContiguousStorageIfAvailable { b in
                guard let start = a.baseAddress, let other = b.baseAddress else { return a.count < b.count }
                let order = memcmp(start, other, min(a.count, b.count))
                return order == 0 ? a.count < b.count : order < 0
            }
        }
        return (result ?? nil) ?? a.utf8.lexicographicallyPrecedes(b.utf8)
    }
}
