package import FingerpostFiles

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

    /// The mocks that have a default answer, each with its body file, or with its settings file if the mock has no body
    /// file. A file such as `page.html` beside the settings `page.mock.json` is the body that these settings name, and
    /// no mock of its own.
    package var mocks: [(name: String, file: String)] {
        let usual = files.compactMap { file in
            let owner = owner(of: file)
            return owner.variant == nil ? (name: owner.mock, file: file) : nil
        }
        let bodies = Set(usual.filter { !MockFileName.isSettings($0.file) }.map { ByteName($0.name) })
        let settings = Set(usual.filter { MockFileName.isSettings($0.file) }.map { ByteName($0.name) }).subtracting(
            bodies)
        return usual.filter { name, file in
            if MockFileName.isSettings(file) { return !bodies.contains(ByteName(name)) }
            return name.beforeLastDot.map { !settings.contains(ByteName($0)) } ?? true
        }
    }
}
