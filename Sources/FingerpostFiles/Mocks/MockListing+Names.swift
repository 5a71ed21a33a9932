extension MockListing {
    /// Which mock a file is for, and which of its answers it is.
    ///
    /// Names with dots can be read in several ways. A mock that a route names comes first, the one with the longest
    /// name: where a route names `login.locked`, `login.locked.json` is that mock. Else the file is a variant of a mock
    /// that has a usual answer, the one with the shortest name; else, where it ends in a status, a variant all the
    /// same; else a mock of its own.
    ///
    /// - Parameter names: those that routes have.
    func owner(of file: String, named names: Set<ByteName> = []) -> MockFileName {
        let readings = MockFileName.readings(of: file)
        let variants = readings.dropFirst()
        let owner =
            readings.first { names.contains(ByteName($0.mock)) } ?? variants.last { files(of: $0.mock).hasUsual }
            ?? variants.first(where: \.isOfStatus) ?? readings[0]
        return owner.variant != nil && files(of: owner.mock).has(file, as: nil) ? owner.usual : owner
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
