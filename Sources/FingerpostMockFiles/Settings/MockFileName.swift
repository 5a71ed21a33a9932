import FingerpostFiles

/// The parsed name of a file in a mocks folder: `login.locked.423.json` is the variant `locked` of the mock `login`,
/// with the status 423.
///
/// How a file name is parsed depends on which mocks exist: if there is a mock `login.locked`, the file
/// `login.locked.423.json` is the variant `423` of this mock. A file name is therefore always parsed for a given mock,
/// and ``MockIndex/owner(of:named:)`` decides to which mock a file belongs.
///
/// Names are split at bytes instead of characters, because a combining mark forms a single `Character` with a dot or
/// slash before it.
package struct MockFileName: Sendable {
    /// The mock's name, including the file's extension unless it is one of ``bodyTypes``.
    package let mock: String
    /// The variant; nil for the default response.
    package private(set) var variant: String?
    /// The status in the file name, after the mock's name or after the variant. Nil if the file name contains no
    /// status, or if the status is the variant's name, as in `logout.204`.
    package var status: Int?
    /// The extension without the dot; nil when the file has no extension, or when the extension is part of the mock's
    /// name.
    package var type: String?
    /// True for a settings file, false for a body file.
    private(set) var isSettings = false

    /// Creates the name of a body file that has no extension.
    package init(_ mock: String, variant: String? = nil) {
        self.mock = mock
        self.variant = variant
    }

    /// Parses the name of a mock's default body or default settings file. The mock's name is the whole file name
    /// without `.json`, `.events`, `.ndjson` or `.mock.json`.
    package init(ownMock path: String) {
        if Self.isSettings(path) {
            self.init(path.withoutEnd(Self.settingsSuffix))
            isSettings = true
        } else if let type = Self.bodyTypes.first(where: { path.ends(with: "." + $0) }) {
            let name = path.withoutEnd("." + type)
            let isWhole = name.isEmpty || name.utf8.last == UInt8(ascii: "/")
            self.init(isWhole ? path : name)
            if !isWhole { self.type = type }
        } else {
            self.init(path)
        }
    }

    /// Parses the name of a body or settings file of the given mock. Returns nil when the file cannot belong to the
    /// mock.
    package init?(_ path: String, of mock: String) {
        if path.isSame(as: mock) {
            self.init(mock)
        } else if path.begins(with: mock + "."), let name = Self.read(path.dropping(mock + "."), of: mock) {
            self = name
        } else if let (stem, type) = Self.extensionParts(of: mock), path.begins(with: stem),
            let name = Self.read(path.dropping(stem), of: mock, type: type), name.variant != nil
        {
            // In the file name of an image, the variant precedes the extension: `avatar.small.png`.
            self = name
        } else {
            return nil
        }
    }

    /// Parses the part of a file name that follows the mock's name.
    ///
    /// - Parameter type: the extension that the file must have; nil for any extension.
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
        } else if !name.isSettings, let last = parts.last, let type = bodyTypes.first(where: last.isSame) {
            // The variants of `ticker.events` have the extension only at the end: `ticker.busy.events`.
            if let (_, own) = extensionParts(of: mock), own.isSame(as: type) { return nil }
            name.type = type
            parts.removeLast()
        }
        guard let first = parts.first else { return name }
        guard isVariant(first) else { return nil }
        name.variant = String(first)
        let isStatus = status(String(first)) != nil
        // If the name of a mock contains an extension, such as `ticker.events`, this file contains the settings of the
        // mock and not of a variant.
        if name.isSettings, parts.count == 1, String.streamTypes.contains(where: { $0 == first }) { return nil }
        if parts.count == 1 { return name.isSettings || name.type != nil || isStatus ? name : nil }
        name.status = status(String(parts[1]))
        return parts.count == 2 && name.status != nil && !isStatus && !name.isSettings ? name : nil
    }

    /// The file's path relative to the mocks folder.
    package var path: String {
        let ending = isSettings ? Self.settingsSuffix : ""
        let inner = [variant, status.map(String.init)].compactMap { $0 }
        if !inner.isEmpty, let type, let (stem, own) = Self.extensionParts(of: mock), type.isSame(as: own) {
            return stem + (inner + [type]).joined(separator: ".") + ending
        }
        return ([mock] + inner + [type].compactMap { $0 }).joined(separator: ".") + ending
    }

    /// Returns the path of the file to create for a mock without files: `user.json` for `user`, and `avatar.png` for
    /// `avatar.png`.
    ///
    /// - Parameters:
    ///   - variant: the variant; nil for the default response.
    ///   - type: the file's extension; by default the extension in the mock's name, or else `json`.
    package static func newFile(of mock: String, variant: String? = nil, type: String? = nil) -> String {
        let own = extensionParts(of: mock)?.extension
        var name = MockFileName(mock, variant: variant)
        name.type = type ?? own ?? "json"
        if variant == nil, let own, name.type?.isSame(as: own) == true { name.type = nil }
        return name.path
    }

    /// The name of the settings file that belongs to this body file.
    package var settings: MockFileName {
        var settings = MockFileName(mock, variant: variant)
        settings.isSettings = true
        return settings
    }

    /// A copy of this file name in which the variant is read as a status: `logout.204` becomes the default response of
    /// `logout`, with the status 204.
    var usual: MockFileName {
        var usual = MockFileName(mock)
        (usual.status, usual.type) = (variant.flatMap { Self.status($0) }, type)
        return usual
    }

    /// True for a variant named after its status, such as `logout.204`. False for an image such as `avatar.404.png`,
    /// which is a separate mock.
    var isOfStatus: Bool {
        if let type, let (_, own) = Self.extensionParts(of: mock), type.isSame(as: own) { return false }
        return variant.flatMap { Self.status($0) } != nil && (type.map { Self.bodyTypes.contains($0) } ?? true)
    }

    /// The status in the file name; nil when the file name contains no status.
    package var saidStatus: Int? {
        status ?? (variant ?? mock.parts(between: ".").last.map(String.init)).flatMap { Self.status($0) }
    }

    /// Every way to parse a file name. The way with the longest mock name comes first.
    static func readings(of path: String) -> [MockFileName] {
        let own = MockFileName(ownMock: path)
        let isStream = own.type.map { String.streamTypes.contains($0) } ?? false
        let type = isStream ? own.type : extensionParts(of: own.mock)?.extension
        // The name of a stream's mock may contain the extension, such as `ticker.events`.
        var readings = isStream ? [MockFileName(path), own] : [own]
        var rest = own.mock
        while let shorter = rest.beforeLastDot {
            rest = shorter
            let typed = [type.map { "\(rest).\($0)" }].compactMap { $0 }
            let mocks = isStream ? typed + [rest] : [rest] + typed
            readings += mocks.compactMap { MockFileName(path, of: $0) }.filter { $0.variant != nil }
        }
        return readings
    }
}

// MARK: Rules

extension MockFileName {
    /// The file that contains the scenarios. This file is not a mock.
    package static let scenarios = "_scenarios.json"
    /// The suffix of a settings file's name.
    package static let settingsSuffix = ".mock.json"
    package static let bodySuffix = ".json"

    /// The extensions that a mock's name can leave out. These are the extensions of JSON and of streams.
    package static let bodyTypes = ["json"] + String.streamTypes

    /// The reason why a name is not a valid mock name; nil for a valid name.
    ///
    /// A mock's name is a path relative to the mocks folder. So that the path never leads outside the folder, the name
    /// cannot contain `..` or NUL, and cannot start with `/`. The name of a hidden file, and of the file with the
    /// scenarios, is invalid too.
    package static func objection(to name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name.utf8.contains(0) { return "it contains a NUL character" }
        if name.utf8.first == UInt8(ascii: "/") { return "it starts with /, which leads outside the folder" }
        if name.hasAny(of: "\\") { return "it contains a backslash; folders are separated by /" }
        for part in name.parts(between: "/") {
            switch part {
            case "": return "it has an empty part between two /"
            case ".", "..": return "it contains \(part), which could lead outside the folder"
            default:
                if part.utf8.first == UInt8(ascii: ".") { return "it contains \(part), which names a hidden file" }
            }
        }
        // Some file systems ignore letter case.
        if name.utf8.first == UInt8(ascii: "_"), "\(name).".lowercased().begins(with: "_scenarios.") {
            return "\(scenarios) contains the scenarios, and is no mock"
        }
        if name.ends(with: ".mock") || name.ends(with: settingsSuffix) {
            return "it ends in .mock, which is reserved for settings files"
        }
        return nil
    }

    /// The extension of a body, or of the body that a settings file belongs to; empty when there is none.
    static func type(of file: String) -> String {
        let body = isSettings(file) ? file.withoutEnd(settingsSuffix) : file
        return body.beforeLastDot.map { body.dropping($0 + ".") } ?? ""
    }

    package static func isSettings(_ file: String) -> Bool { file.ends(with: settingsSuffix) }

    /// The file's folder, with a trailing slash; empty for a file at the top level.
    package static func folder(of file: String) -> String {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(file[...slash])
    }

    /// The status that a part of a file name represents; nil when the part is not a three-digit number from 100 to 599.
    @inline(never)
    static func status(_ part: String) -> Int? {
        guard part.utf8.count == 3, let status = Int(digits: part[...]), StubResponse.allStatuses.contains(status)
        else {
            return nil
        }
        return status
    }

    /// True for a valid variant name. Dots need no check, because the variant name comes from a file name that has
    /// already been split at its dots.
    private static func isVariant(_ name: Substring) -> Bool {
        !name.isEmpty && name != "mock" && !name.hasAny(of: "/")
    }

    /// Splits a mock's name after its last dot into the stem (including the dot) and the extension. Returns nil when
    /// the name has no extension. Also returns nil when the extension is `json` or a status, because neither is part of
    /// a mock's name.
    static func extensionParts(of name: String) -> (stem: String, extension: String)? {
        guard let rest = name.beforeLastDot else { return nil }
        let stem = rest + "."
        let ending = name.dropping(stem)
        return ending.isEmpty || ending == "json" || status(ending) != nil ? nil : (stem, ending)
    }
}

extension String {
    /// The name of a stream's mock, for the name of the stream's file: `ticker` for `ticker.events`. Nil for other
    /// names.
    package var streamMockName: String? {
        Self.streamTypes.map { ".\($0)" }.first { ends(with: $0) }.map { withoutEnd($0) }
    }

    /// The extensions of streams: server-sent events, and one JSON value per line.
    fileprivate static let streamTypes = ["events", "ndjson"]

    /// Removes the prefix `start` from the text. The text must begin with `start`.
    fileprivate func dropping(_ start: String) -> String { String(Substring(utf8.dropFirst(start.utf8.count))) }

    /// This path up to the last dot in its last component; nil if this component contains at most a leading dot.
    package var beforeLastDot: String? {
        guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let rest = self[..<dot]
        return rest.isEmpty || rest.utf8.last == UInt8(ascii: "/") || self[dot...].hasAny(of: "/")
            ? nil : String(rest)
    }
}
