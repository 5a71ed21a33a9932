package import FingerpostFiles
package import FingerpostMockFiles

/// The recording that a missing mock probably was before its case got another name: it is for the same method and path.
package struct EarlierMock {
    /// The mock's name.
    package let name: String
    /// The end of a message about the missing mock.
    package let message: String
    package let fix: String
}

extension MockFolder {
    /// The recording that a missing mock probably was, if there is just one.
    ///
    /// - Parameters:
    ///   - names: the names that the missing mock may have, as `Route.mockNames` returns them in any order.
    ///   - used: the mocks that routes still name. They belong to these routes.
    ///   - fits: returns true if the `for` entry of a mock's settings fits the route whose mock is missing.
    package func earlierMock(
        names: [String], besides used: Set<ByteName> = [], where fits: (MockRoute) -> Bool
    ) -> EarlierMock? {
        let recordings = mockNames.compactMap { name -> (name: String, route: MockRoute, by: String)? in
            // A mock that cannot be read has its own problem.
            guard !used.contains(ByteName(name)), let settings = (try? mock(named: name))?.settings,
                let route = settings.route, let by = settings.recorded?.by, fits(route)
            else { return nil }
            return (name, route, by)
        }
        guard recordings.count == 1, let (name, route, by) = recordings.first else { return nil }
        // A mock in the folder of its router stays in such a folder.
        let isApart = !MockFileName.folder(of: name).isEmpty
        guard let new = names.first(where: { $0.contains(bytesOf: "/") == isApart }) ?? names.first else { return nil }
        let all = files(of: name)
        let files = all.filter { !MockFileName.isSettings($0) } + all.filter(MockFileName.isSettings)
        let renamed = files.filter { $0.begins(with: name + ".") }.map { file in
            "\(path(of: file)) to \(new)\(Substring(file.utf8.dropFirst(name.utf8.count)))"
        }
        guard let first = files.first, !renamed.isEmpty else { return nil }
        let rest = renamed.count > 4 ? " and the other \(renamed.count - 4) files in the same way" : ""
        return EarlierMock(
            name: name, message: "; \(path(of: first)) was recorded by \(by) for the same \(route)",
            fix: "if \(by) has this name now, rename \(renamed.prefix(4).joined(separator: ", "))\(rest)")
    }
}
