import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles

extension APIError {
    /// Creates the error for a call whose mock cannot be read. The nearest names in `failure` come from `MockSearch`.
    ///
    /// - Parameters:
    ///   - name: the mock's name.
    ///   - variant: the requested variant; nil for the default answer.
    ///   - route: the route that the mock should answer, if it may have other names too.
    ///   - seal: what keeps the call from being sent.
    init(
        mock failure: MockFolder.Failure, named name: String, variant: String?, of route: Route? = nil,
        in folder: MockFolder, _ seal: Seal?
    ) {
        switch failure {
        case .malformedName(let objection):
            self.init(
                .mock, "the mock name \(name.quoted) is not valid: \(objection)",
                fix: "name a file below \(folder.path), with / between folders")
        case .notFound(let nearest):
            // Mocks that the route does not name are looked for by the name of its case.
            // The names can be read here, because the mock was looked for by one of them.
            let isNamed = route.map { $0.mock != nil } ?? true
            let names = isNamed ? [name] : (try? route?.mockNames.reversed().map(\.rawValue)) ?? [name]
            let files = names.map { "\(folder.newFiles)/\(MockFileName.newFile(of: $0))" }
            // The name of a body that is not JSON contains its extension.
            let other = nearest.first { $0.begins(with: "\(name).") }
            // The name of a case is right, so it is the file that is misspelled, unless its settings name a request.
            let misspelled =
                isNamed ? nil : NearestName.find(name, in: nearest.filter { !folder.hasRoute(mockNamed: $0) })
            let earlier = route.flatMap { route in
                folder.earlierMock(names: names) {
                    $0.method == route.method.rawValue && $0.matches(path: route.path)
                }
            }
            self.init(
                .mock,
                "there is no mock \"\(name)\" "
                    + (folder.isTopLevel
                        ? "at the top level of \(folder.path), and no folder \(MockFolder.name)" : "in \(folder.path)")
                    + (earlier?.message ?? NearestName.list(nearest)) + ". \(seal.sentence)",
                fix: other.map { "set the route's mock to \"\($0)\"" }
                    ?? ((earlier?.fix ?? misspelled.map { "rename the mock \($0.quoted) to \(name.quoted)" })
                        .map { "\($0); otherwise " } ?? "")
                    + "add \(files.joined(separator: " or ")), or \(isNamed ? "correct" : "set") the route's mock")
        case .noVariant(let nearest):
            let variants = nearest.map { "\"\($0)\"" }.joined(separator: ", ")
            let wanted = variant.map { "variant \"\($0)\"" } ?? "default answer"
            self.init(
                .mock,
                "the mock \"\(name)\" in \(folder.path) has no \(wanted); it has "
                    + (variants.isEmpty ? "no variant" : variants) + ". \(seal.sentence)",
                fix:
                    "add \(folder.newFiles)/\(MockFileName.newFile(of: name, variant: variant)), or use another variant"
            )
        case .invalid(let problems):
            self.init(.mock, problems.map(\.description).joined(separator: "\n"), fix: problems.first?.fix)
        case .unreadable(let problem):
            self.init(
                .mock, "the mock \"\(name)\" cannot be read: \(problem.location): \(problem.message)", fix: problem.fix)
        }
    }
}

extension APIError {
    /// Creates the error for scenarios that cannot be read.
    init(scenarios error: InvalidFile) {
        self.init(
            .mock, error.problems.map(\.description).joined(separator: "\n"), fix: error.problems.first?.fix)
    }
}

extension MockFolder {
    var path: String { FilePath.display(url) }

    /// True if the settings of a mock name the request that it is for.
    fileprivate func hasRoute(mockNamed name: String) -> Bool {
        // A mock that cannot be read has its own problem.
        (try? mock(named: name))?.settings?.route != nil
    }

    /// Where a new mock goes: a folder of its own instead of the top level of a bundle.
    var newFiles: String { isTopLevel ? Self.name : path }
}
