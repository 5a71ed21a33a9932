package import FingerpostFiles
package import FingerpostMockFiles

extension MockIndex {
    /// The current name of a mock that is probably misnamed, the end of the message about the missing mock, and the
    /// fix.
    package typealias Misnamed = (name: String, message: String, fix: String)

    /// Guesses which mock is meant by a name that no mock has. If exactly one recording has the route's method and
    /// path, this recording is returned, because the route's enum case may have been renamed. Otherwise, the mock with
    /// the most similar name is returned.
    ///
    /// - Parameters:
    ///   - names: the possible names of the missing mock, in any order. `Route.mockNames` returns these names.
    ///   - used: the mocks that other routes use. These mocks are not suggested.
    ///   - isNamed: true if the route sets its mock's name. If true, the name in the route may be wrong, not the file's
    ///     name.
    ///   - fits: returns true if a mock's `for` entry matches the route without a mock.
    package func misnamedMock(
        names: [String], besides used: Set<ByteName> = [], isNamed: Bool = false, where fits: (MockRoute) -> Bool
    ) -> (name: String, message: String, fix: String)? {
        var (recordings, free): ([Misnamed], [String]) = ([], [])
        for name in mockNames where !used.contains(ByteName(name)) {
            // If the mock cannot be read, another message reports the problem.
            let settings = (try? mock(named: name))?.settings
            guard let route = settings?.route else {
                free.append(name)
                continue
            }
            guard let by = settings?.recorded?.by, fits(route) else { continue }
            guard let file = mainFile(of: name), let renaming = renaming(of: name, to: names) else { continue }
            recordings.append(
                (
                    name, "; \(path(of: file)) was recorded by \(by) for the same \(route)",
                    "if \(by) has this name now, \(renaming)"
                ))
        }
        if recordings.count == 1 { return recordings[0] }
        let nearest = names.flatMap { self.nearest(to: $0, in: free) }
        for name in nearest {
            // The name of a body that is not JSON contains the file's extension.
            let isTyped =
                !Self.isJSON(name)
                && names.contains { "/\(name)".contains(bytesOf: "/\($0.parts(between: "/").last ?? "").") }
            if isNamed, !isTyped { continue }
            let fix = isTyped ? "set the route's mock to \(name.quoted)" : renaming(of: name, to: names)
            if let fix { return (name, NearestName.list([name], to: names[0]), fix) }
        }
        return nil
    }

    /// Returns a file of a mock: the body, or the settings of a mock without a body.
    private func mainFile(of name: String) -> String? {
        let files = stub(named: name).files
        return files.first { !MockFileName.isSettings($0) } ?? files.first
    }

    private static func isJSON(_ name: String) -> Bool { name.lowercased().ends(with: MockFileName.bodySuffix) }

    /// Returns the advice to rename the files of a mock so that the mock gets one of the names.
    private func renaming(of name: String, to names: [String]) -> String? {
        // Only a mock in a folder gets a name that contains a folder.
        let folder = MockFileName.folder(of: name)
        guard let new = names.first(where: { $0.contains(bytesOf: "/") == !folder.isEmpty }) ?? names.first,
            let file = mainFile(of: name), file.isSame(as: name) || file.begins(with: name + ".")
        else { return nil }
        let end =
            file.isSame(as: name) && Self.isJSON(name)
            ? MockFileName.bodySuffix : String(Substring(file.utf8.dropFirst(name.utf8.count)))
        let target = MockFileName.folder(of: new).isSame(as: folder) ? new : path(of: new)
        let rest = stub(named: name).files.count > 1 ? ", and its other files in the same way" : ""
        return "rename \(path(of: file)) to \(target)\(end)\(rest)"
    }
}
