package import FingerpostFiles

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
            guard let file = ordered(of: name).first, let renaming = renaming(of: name, to: names) else { continue }
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

    /// Returns up to three of the given names that are similar to a name. A name that differs only in the folder or the
    /// extension is similar too.
    func nearest(to name: String, in names: [String]) -> [String] {
        let last = name.parts(between: "/").last.map(String.init) ?? ""
        let elsewhere = names.filter {
            let other = $0.parts(between: "/").last ?? ""
            return last.isSame(as: other) || other.begins(with: last + ".")
        }
        let near = NearestName.all(name, in: names)
        return Array((near + elsewhere.filter { !near.contains($0) }).prefix(3))
    }

    /// Returns the files of a mock: the body, the bodies of variants, then the settings.
    private func ordered(of name: String) -> [String] {
        stub(named: name).files.ordered {
            (MockFileName.isSettings($0) ? 1 : 0, $0.utf8.count, $0) < (
                MockFileName.isSettings($1) ? 1 : 0, $1.utf8.count, $1
            )
        }
    }

    private static func isJSON(_ name: String) -> Bool { name.lowercased().ends(with: MockFileName.bodySuffix) }

    /// Returns the advice to rename files so that a mock gets one of the names.
    private func renaming(of name: String, to names: [String]) -> String? {
        // A mock in a router's folder gets a name in a folder.
        let folder = MockFileName.folder(of: name)
        guard let new = names.first(where: { $0.contains(bytesOf: "/") == !folder.isEmpty }) ?? names.first else {
            return nil
        }
        let renamed = ordered(of: name).compactMap { file -> String? in
            guard file.isSame(as: name) || file.begins(with: name + ".") else { return nil }
            let end =
                file.isSame(as: name) && Self.isJSON(name)
                ? MockFileName.bodySuffix : String(Substring(file.utf8.dropFirst(name.utf8.count)))
            let target = MockFileName.folder(of: new).isSame(as: folder) ? new : path(of: new)
            return "\(path(of: file)) to \(target)\(end)"
        }
        if renamed.isEmpty { return nil }
        let rest = renamed.count > 4 ? " and the other \(renamed.count - 4) files in the same way" : ""
        return "rename \(renamed.prefix(4).joined(separator: ", "))\(rest)"
    }
}
