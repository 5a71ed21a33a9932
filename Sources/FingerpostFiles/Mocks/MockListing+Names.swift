extension MockListing {
    /// The mock that a file belongs to, and which of its answers; nil for the usual one.
    struct Owner: Hashable {
        let mock: String
        let variant: String?
    }

    /// Which mock a file is taken for where no route says it: `login.locked.json` is a variant of `login` where there is one, and else a
    /// mock of its own.
    func owner(of file: String) -> Owner {
        let isSettings = MockFileName.isSettings(file)
        let name = isSettings ? file.withoutEnd(MockFileName.settingsSuffix) : MockFileName.mockName(of: file)
        let isJSON = isSettings || file.ends(with: MockFileName.bodySuffix)
        guard let last = lastPart(of: name) else { return Owner(mock: name, variant: nil) }
        if let status = MockFileName.status(last.text), !isSettings {
            if let part = lastPart(of: last.rest), isMock(part.rest), MockSuffix.isVariant(part.text),
                MockFileName.status(part.text) == nil
            {
                return Owner(mock: part.rest, variant: part.text)
            }
            let isUsual = status / 100 == 2 && !isBody(last.rest)
            return Owner(mock: last.rest, variant: isUsual ? nil : last.text)
        }
        if isJSON, MockSuffix.isVariant(last.text), isMock(last.rest) || MockFileName.status(last.text) != nil {
            return Owner(mock: last.rest, variant: last.text)
        }
        return (isJSON && !isSettings ? nil : ownerByExtension(of: name)) ?? Owner(mock: name, variant: nil)
    }

    /// `avatar.png` for `avatar.small.png`, where it is a mock.
    private func ownerByExtension(of name: String) -> Owner? {
        guard let (stem, type) = MockFileName.extensionParts(of: name), var part = lastPart(of: stem.withoutEnd("."))
        else { return nil }
        if MockFileName.status(part.text) != nil, let named = lastPart(of: part.rest),
            MockFileName.status(named.text) == nil, isMock("\(named.rest).\(type)")
        {
            part = named
        }
        let mock = "\(part.rest).\(type)"
        return MockSuffix.isVariant(part.text) && isMock(mock) ? Owner(mock: mock, variant: part.text) : nil
    }

    /// True when there is a usual answer of that name.
    private func isMock(_ name: String) -> Bool {
        isBody(name) || contains(name + MockFileName.settingsSuffix) || !files(of: name).usual.isEmpty
    }

    private func isBody(_ name: String) -> Bool { contains(name + MockFileName.bodySuffix) || contains(name) }

    /// What stands behind the last dot of a name, and before it.
    private func lastPart(of name: String) -> (rest: String, text: String)? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let rest = String(name[..<dot])
        guard rest.utf8.count > MockFileName.folder(of: name).utf8.count else { return nil }
        return (rest, String(name[name.utf8.index(after: dot)...]))
    }

    /// The names of all mocks, in the order of their files.
    var mockNames: [String] {
        knownNames.withLock { known in
            if let known { return known }
            var seen: Set<ByteName> = []
            let names = files.map { owner(of: $0).mock }.filter { seen.insert(ByteName($0)).inserted }
            known = names
            return names
        }
    }

    /// The mocks that have a usual answer, each with the file that it is known by: a body, or its settings where it has none.
    var mocks: [(name: String, file: String)] {
        let usual = files.compactMap { file in
            let owner = owner(of: file)
            return owner.variant == nil ? (name: owner.mock, file: file) : nil
        }
        let bodies = Set(usual.filter { !MockFileName.isSettings($0.file) }.map { ByteName($0.name) })
        return usual.filter { !MockFileName.isSettings($0.file) || !bodies.contains(ByteName($0.name)) }
    }
}
