extension MockListing {
    /// The mock that a file belongs to, and the variant that the file provides.
    ///
    /// A name with several dots is ambiguous. The first of these rules that applies decides:
    ///
    /// 1. The file belongs to a mock that a route names, the longest name first: when a route names `login.locked`,
    ///    `login.locked.json` is that mock.
    /// 2. It is a variant of a mock that has a default answer, the shortest name first.
    /// 3. If it ends in a status, it is a variant of a mock without a default answer.
    /// 4. It is a mock of its own.
    ///
    /// - Parameter names: the mock names that routes use.
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

    /// The mocks that have a default answer, each with its body file, or its settings file when it has no body.
    var mocks: [(name: String, file: String)] {
        let usual = files.compactMap { file in
            let owner = owner(of: file)
            return owner.variant == nil ? (name: owner.mock, file: file) : nil
        }
        let bodies = Set(usual.filter { !MockFileName.isSettings($0.file) }.map { ByteName($0.name) })
        return usual.filter { !MockFileName.isSettings($0.file) || !bodies.contains(ByteName($0.name)) }
    }
}
