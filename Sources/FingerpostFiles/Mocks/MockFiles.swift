/// The files that answer for one mock.
struct MockFiles {
    struct Body {
        let path: String
        /// What the file's name says; nil when it says none.
        let status: Int?
    }

    struct Variant {
        let name: String
        var bodies: [Body] = []
        var settings: String?
    }

    let name: String
    /// The bodies of the usual answer: more than one is a mistake.
    var usual: [Body] = []
    var settings: String?
    /// In the order of their files.
    var variants: [Variant] = []

    var hasSettings: Bool { settings != nil || variants.contains { $0.settings != nil } }

    var isEmpty: Bool { usual.isEmpty && settings == nil && variants.isEmpty }

    func variant(_ name: String) -> Variant? {
        variants.first { $0.name.isSame(as: name) }
    }

    /// True for a file that answers, or one of settings.
    func has(_ file: String, as variant: String?) -> Bool {
        let found = variant.map { self.variant($0) }
        let bodies = found.map { $0?.bodies ?? [] } ?? usual
        return bodies.contains { $0.path.isSame(as: file) }
            || (found.map { $0?.settings } ?? settings).map { $0.isSame(as: file) } ?? false
    }

    fileprivate mutating func add(_ path: String, _ suffix: MockSuffix) {
        guard let name = suffix.variant else {
            if suffix.isSettings { settings = path } else { addUsual(path) }
            return
        }
        let known = variants.firstIndex { $0.name.isSame(as: name) }
        var variant = known.map { variants.remove(at: $0) } ?? Variant(name: name)
        if suffix.isSettings {
            variant.settings = path
        } else {
            variant.bodies.append(Body(path: path, status: suffix.status))
        }
        variants.insert(variant, at: known ?? variants.count)
    }

    /// The name itself may end in a status.
    fileprivate mutating func addUsual(_ path: String) {
        let last = name.parts(between: ".").last ?? ""
        usual.append(Body(path: path, status: MockFileName.status(last)))
    }

    /// The answer of a mock whose bodies all say a status is a success: `logout.204`.
    fileprivate mutating func takeSuccess() {
        for variant in variants where (MockFileName.status(variant.name) ?? 0) / 100 == 2 {
            // Not so of images: avatar.201.png is a mock of its own.
            usual += variant.bodies.filter { $0.path.begins(with: name + ".") }
        }
    }
}

extension MockListing {
    /// The files of a mock.
    ///
    /// - Parameter name: as routes write it; `user` and `user.json` are one mock.
    func files(of name: String) -> MockFiles {
        let isFileName = name.ends(with: ".json") && self[name + ".json"] == nil
        var files = MockFiles(name: isFileName ? name.withoutEnd(".json") : name)
        let start = files.name + "."
        for entry in entries(startingWith: start) {
            let rest = String(Substring(entry.path.utf8.dropFirst(start.utf8.count)))
            if entry.canAnswer, let suffix = MockSuffix(rest) { files.add(entry.path, suffix) }
        }
        if let (stem, type) = MockFileName.extensionParts(of: files.name) {
            for entry in entries(startingWith: stem) {
                let rest = String(Substring(entry.path.utf8.dropFirst(stem.utf8.count)))
                if entry.canAnswer, let suffix = MockSuffix(rest, type: type), suffix.variant != nil {
                    files.add(entry.path, suffix)
                }
            }
        }
        if files.usual.isEmpty, contains(files.name) { files.addUsual(files.name) }
        if files.usual.isEmpty { files.takeSuccess() }
        return files
    }
}
