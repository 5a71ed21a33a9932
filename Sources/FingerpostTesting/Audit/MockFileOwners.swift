import FingerpostFiles

/// Which files of a folder belong to which of the mocks that routes name.
struct MockFileOwners: Sendable {
    private let names: Set<ByteName>

    /// - Parameter names: as routes write them.
    init(_ names: some Sequence<String>) {
        self.names = Set(names.map { ByteName($0.hasSuffix(".json") ? String($0.dropLast(".json".count)) : $0) })
    }

    /// The longest name wins where names hold dots: `user.locked.json` is the mock `user.locked` where a route names that, and else
    /// the variant `locked` of `user`.
    func owner(of file: String) -> String? {
        // The variants of `avatar.png` have their names before the extension.
        let type = file.split(separator: "/").last?.split(separator: ".").last ?? ""
        var name = file[...]
        while true {
            for candidate in [String(name), "\(name).\(type)"] where names.contains(ByteName(candidate)) {
                return candidate
            }
            guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return nil }
            name = name[..<dot]
        }
    }

    /// The name by which a file could be named, or its settings.
    static func mockName(of file: String) -> String {
        [".mock.json", ".json"].first(where: file.hasSuffix).map { String(file.dropLast($0.count)) } ?? file
    }
}
