import FingerpostFiles

/// Which files of a folder belong to which mock.
struct MockListing: Sendable {
    /// The files of each declared mock: bodies, variants, settings.
    private(set) var files: [String: [String]] = [:]
    /// The files that belong to none.
    private(set) var strays: [String] = []

    /// - Parameter names: the names that routes give.
    init(_ folder: MockFolder, names: Set<String>) {
        for file in folder.fileNames where !file.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            if let name = Self.owner(of: file, in: names) {
                files[name, default: []].append(file)
            } else {
                strays.append(file)
            }
        }
    }

    /// The longest name wins where names hold dots: `user.locked.json` is the mock `user.locked` where a route names that, and else
    /// the variant `locked` of `user`.
    private static func owner(of file: String, in names: Set<String>) -> String? {
        var name = file[...]
        while true {
            if names.contains(String(name)) { return String(name) }
            guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return nil }
            name = name[..<dot]
        }
    }

    /// The variants that the names of a mock's files say, in alphabetical order; the usual answer is none of them.
    ///
    /// - Parameter bodies: files that settings name as bodies, which are no variants of their own.
    func variants(of name: String, besides bodies: Set<String>) -> [String] {
        let variants = (files[name] ?? []).compactMap { file -> String? in
            guard !bodies.contains(file), !file.hasSuffix(".mock.json") else { return nil }
            var parts = file.dropFirst(name.count).split(separator: ".")
            if parts.last == "json" { parts.removeLast() }
            guard let last = parts.last else { return nil }
            if parts.count > 1, Self.isStatus(last) { parts.removeLast() }
            return parts.joined(separator: ".")
        }
        return Set(variants).sorted()
    }

    private static func isStatus(_ text: Substring) -> Bool {
        text.count == 3 && Int(text).map((100...599).contains) == true
    }

    /// The name that a file would have as a mock: what the ignored names are compared with.
    static func mockName(of file: String) -> String {
        [".mock.json", ".json"].first(where: file.hasSuffix).map { String(file.dropLast($0.count)) } ?? file
    }
}
