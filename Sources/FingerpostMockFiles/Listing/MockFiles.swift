import FingerpostFiles

/// The files of one mock: the bodies and settings of its default answer and of its variants.
package struct MockFiles: Sendable {
    package struct Variant: Sendable {
        let name: String
        package fileprivate(set) var bodies: [MockFileName] = []
        var settings: MockFileName?
    }

    let name: String
    /// The bodies of the default answer. It is an error if a default answer has more than one body.
    package var usual: [MockFileName] = []
    package var settings: MockFileName?
    /// The variants, in the order of their files.
    package private(set) var variants: [Variant] = []
    /// The position of each variant in ``variants``.
    private var places: [ByteName: Int] = [:]

    init(name: String) {
        self.name = name
    }

    var isEmpty: Bool { !hasUsual && variants.isEmpty }

    /// True when the mock has a default answer, for calls without a variant.
    package var hasUsual: Bool { !usual.isEmpty || settings != nil }

    func variant(_ name: String) -> Variant? {
        places[ByteName(name)].map { variants[$0] }
    }

    /// True when a file is a body or the settings file of the given variant, or of the default answer if `variant` is
    /// nil.
    package func has(_ file: String, as variant: String?) -> Bool {
        let answer = variant.map { self.variant($0) } ?? Variant(name: "", bodies: usual, settings: settings)
        let files = (answer?.bodies ?? []) + [answer?.settings].compactMap { $0 }
        return files.contains { $0.path.isSame(as: file) }
    }

    fileprivate mutating func add(_ file: MockFileName) {
        guard let name = file.variant else {
            if file.isSettings { settings = file } else { usual.append(file) }
            return
        }
        let index = places[ByteName(name), default: variants.endIndex]
        if index == variants.endIndex {
            variants.append(Variant(name: name))
            places[ByteName(name)] = index
        }
        if file.isSettings { variants[index].settings = file } else { variants[index].bodies.append(file) }
    }

    /// Uses bodies named after a 2xx status, such as `logout.204`, as the default answer. Call this method only for a
    /// mock that has no other default body.
    fileprivate mutating func takeSuccess() {
        for variant in variants where MockFileName.status(variant.name)?.isSuccessStatus == true {
            // An image such as avatar.201.png is a separate mock.
            for body in variant.bodies where body.isOfStatus { usual.append(body.usual) }
        }
    }
}

extension MockListing {
    /// Finds the files of a mock.
    ///
    /// - Parameter name: the mock's name as written in a route, with or without `.json`.
    package func files(of name: String) -> MockFiles {
        if let files = knownFiles.withLock({ $0[ByteName(name)] }) { return files }
        let files = findFiles(of: name)
        knownFiles.withLock { $0[ByteName(name)] = files }
        return files
    }

    private func findFiles(of name: String) -> MockFiles {
        let isFileName = name.ends(with: MockFileName.bodySuffix) && self[name + MockFileName.bodySuffix] == nil
        var files = MockFiles(name: isFileName ? name.mockName : name)
        let start = files.name + "."
        var candidates = Array(entries(startingWith: start))
        if let (stem, type) = MockFileName.extensionParts(of: files.name) {
            // Variants such as `avatar.small.png` of the mock `avatar.png`.
            let typed = entries(startingWith: stem, type: type).filter { !$0.path.begins(with: start) }
            candidates = Self.sorted(candidates + typed)
        }
        for entry in candidates where entry.canAnswer && !entry.path.isSame(as: files.name) {
            if let file = MockFileName(entry.path, of: files.name) { files.add(file) }
        }
        if files.usual.isEmpty, contains(files.name) { files.add(MockFileName(files.name)) }
        if files.usual.isEmpty { files.takeSuccess() }
        return files
    }
}
