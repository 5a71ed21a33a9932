/// The name of a file in a folder of mocks: `login.locked.423.json` is the variant `locked` of `login`, with the status
/// 423.
///
/// Which part of a name is what depends on the mock: with a mock `login.locked`, that file is its variant `423`. So a
/// name is read for a given mock, and ``MockListing/owner(of:named:)`` says for which.
///
/// All of it goes by bytes: a character of `String` can hold a dot or a slash together with what follows it.
package struct MockFileName: Sendable {
    /// The mock's name: without `.json`, and with any other extension.
    package let mock: String
    /// nil for the answer that is given when no variant is asked for.
    package private(set) var variant: String?
    /// The status that is written behind the variant, or behind the mock's name; nil where there is none, or where it
    /// is the variant.
    package var status: Int?
    /// The extension, without the dot; nil where there is none, or where it is part of the mock's name.
    package var type: String?
    package private(set) var isSettings = false

    package init(_ mock: String, variant: String? = nil) {
        self.mock = mock
        self.variant = variant
    }

    /// A file as a mock of its own.
    package init(ownMock path: String) {
        if Self.isSettings(path) {
            self.init(path.withoutEnd(Self.settingsSuffix))
            isSettings = true
        } else {
            self.init(Self.mockName(of: path))
            if path.ends(with: Self.bodySuffix) { type = "json" }
        }
    }

    /// A file as an answer of a mock, or as its settings; nil where it is neither.
    package init?(_ path: String, of mock: String) {
        if path.isSame(as: mock) {
            self.init(mock)
        } else if path.begins(with: mock + "."), let name = Self.read(path.dropping(mock + "."), of: mock) {
            self = name
        } else if let (stem, type) = Self.extensionParts(of: mock), path.begins(with: stem),
            let name = Self.read(path.dropping(stem), of: mock, type: type), name.variant != nil
        {
            // The variants of an image have their names before its extension: `avatar.small.png`.
            self = name
        } else {
            return nil
        }
    }

    /// Reads what follows the name of the mock.
    ///
    /// - Parameter type: the extension that it must have.
    private static func read(_ text: String, of mock: String, type: String? = nil) -> MockFileName? {
        var name = MockFileName(mock)
        var parts = text.parts(between: ".")
        if parts.last == "json", parts.dropLast().last == "mock" {
            name.isSettings = true
            parts.removeLast(2)
        }
        if let type {
            guard let last = parts.popLast(), type.isSame(as: last) else { return nil }
            name.type = type
        } else if !name.isSettings, parts.last == "json" {
            name.type = "json"
            parts.removeLast()
        }
        guard let first = parts.first else { return name }
        guard isVariant(first) else { return nil }
        name.variant = String(first)
        let isStatus = status(first) != nil
        if parts.count == 1 { return name.isSettings || name.type != nil || isStatus ? name : nil }
        name.status = status(parts[1])
        return parts.count == 2 && name.status != nil && !isStatus && !name.isSettings ? name : nil
    }

    /// The path below the folder.
    package var path: String {
        let ending = isSettings ? Self.settingsSuffix : ""
        let inner = [variant, status.map(String.init)].compactMap { $0 }
        if !inner.isEmpty, let type, let (stem, own) = Self.extensionParts(of: mock), type.isSame(as: own) {
            return stem + (inner + [type]).joined(separator: ".") + ending
        }
        return ([mock] + inner + [type].compactMap { $0 }).joined(separator: ".") + ending
    }

    /// The name of the settings beside a body.
    package var settings: MockFileName {
        var settings = MockFileName(mock, variant: variant)
        settings.isSettings = true
        return settings
    }

    /// A variant that is a status, as the usual answer: `logout.204`.
    var usual: MockFileName {
        var usual = MockFileName(mock)
        (usual.status, usual.type) = (variant.flatMap { Self.status($0) }, type)
        return usual
    }

    /// True for a variant that is named after its status. Images are mocks of their own: `avatar.404.png`.
    var isOfStatus: Bool { variant.flatMap { Self.status($0) } != nil && (type == nil || type == "json") }

    /// The status that the name says; nil when it says none.
    var saidStatus: Int? {
        status ?? (variant ?? mock.parts(between: ".").last.map(String.init)).flatMap { Self.status($0) }
    }

    /// Every way to read the name of a file, the one with the longest name of a mock first.
    static func readings(of path: String) -> [MockFileName] {
        let own = MockFileName(ownMock: path)
        let type = extensionParts(of: own.mock)?.extension
        var readings = [own]
        var rest = own.mock
        while let shorter = rest.beforeLastDot {
            rest = shorter
            let mocks = [rest] + [type.map { "\(rest).\($0)" }].compactMap { $0 }
            readings += mocks.compactMap { MockFileName(path, of: $0) }.filter { $0.variant != nil }
        }
        return readings
    }
}

// MARK: Rules

extension MockFileName {
    /// What the names of settings end in.
    static let settingsSuffix = ".mock.json"
    static let bodySuffix = ".json"

    /// Why a name cannot be that of a mock, nil when it can.
    ///
    /// A name is a path below the mocks folder: it has no `..`, does not start at the root and holds no NUL, so that it
    /// can never lead outside.
    package static func objection(to name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.utf8.contains(0) { return "it contains a NUL character" }
        if name.utf8.first == UInt8(ascii: "/") { return "it starts with /, which leads outside the folder" }
        if name.utf8.contains(UInt8(ascii: "\\")) { return "it contains a backslash; folders are separated by /" }
        for part in name.parts(between: "/") {
            switch part {
            case "": return "it has an empty part between two /"
            case ".", "..": return "it holds \(part), which could lead outside the folder"
            default: continue
            }
        }
        if name.ends(with: ".mock") || name.ends(with: settingsSuffix) {
            return "it ends in .mock, which is reserved for settings files"
        }
        return nil
    }

    /// The name of a mock as a route writes it, without `.json`: `user` and `user.json` are one mock.
    package static func mockName(of name: String) -> String {
        name.ends(with: bodySuffix) ? name.withoutEnd(bodySuffix) : name
    }

    /// True for files that the system or a tool made, such as `.DS_Store`, and for all that is in a hidden folder.
    package static func isHidden(_ file: String) -> Bool {
        file.parts(between: "/").contains { $0.utf8.first == UInt8(ascii: ".") }
    }

    static func isSettings(_ file: String) -> Bool { file.ends(with: settingsSuffix) }

    /// The folder of a file with its slash at the end, empty for one at the top.
    static func folder(of file: String) -> String {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(file[...slash])
    }

    /// A status in the name of a file: three digits from 100 to 599.
    static func status(_ part: some StringProtocol) -> Int? {
        guard part.utf8.count == 3, part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let status = Int(part), (100...599).contains(status)
        else { return nil }
        return status
    }

    /// Dots and slashes separate names from each other.
    private static func isVariant(_ name: Substring) -> Bool {
        !name.isEmpty && name != "mock" && !name.utf8.contains(UInt8(ascii: "/"))
    }

    /// The name before its last dot, with the dot, and the extension behind it; nil where there is none, or where it is `json` or a
    /// status, which are not part of a mock's name.
    package static func extensionParts(of name: String) -> (stem: String, extension: String)? {
        guard let rest = name.beforeLastDot else { return nil }
        let stem = rest + "."
        let ending = name.dropping(stem)
        return ending.isEmpty || ending == "json" || status(ending) != nil ? nil : (stem, ending)
    }
}

extension String {
    /// The text behind a start that it has.
    fileprivate func dropping(_ start: String) -> String { String(Substring(utf8.dropFirst(start.utf8.count))) }

    /// A path up to the last dot of its last part, nil where there is none or where it is the first character.
    fileprivate var beforeLastDot: String? {
        guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let rest = self[..<dot]
        return rest.isEmpty || rest.utf8.last == UInt8(ascii: "/") || self[dot...].utf8.contains(UInt8(ascii: "/"))
            ? nil : String(rest)
    }
}
