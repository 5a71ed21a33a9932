import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles

extension APIError {
    /// Creates the error for a call that only mocks may answer, in a release build.
    init(mocksInReleaseOf environment: Environment?) {
        self.init(
            .mock, "mocks do not answer in a release build outside tests and previews; nothing was sent",
            fix: """
                set "$network": "sealed" in \(environment?.path ?? "the environment's file") for a demo, or select \
                another environment. Xcode builds packages for release unless the name of the configuration contains \
                "debug" or "development": rename "Staging" to "Debug Staging"
                """)
    }

    /// Creates the error for a call whose mock cannot be read. The nearest names in `failure` come from `MockIndex`.
    ///
    /// - Parameters:
    ///   - name: the mock's name.
    ///   - variant: the requested variant; nil for the default response.
    ///   - route: the route that the mock should answer. Nil if the mock can have no other name than `name`.
    ///   - seal: the reason why the call is not sent, for the end of the message.
    init(
        mock failure: MockIndex.Failure, named name: String, variant: String?, of route: Route? = nil,
        in folder: MockIndex, _ seal: String
    ) {
        switch failure {
        case .malformedName(let objection):
            self.init(
                .mock, "the mock name \(name.quoted) is not valid: \(objection)",
                fix: "name a file below \(folder.path), with / between folders")
        case .notFound(let nearest):
            // If the route does not set the name of its mock, the possible names come from the route's enum case. These
            // names have already been read once without an error.
            let isNamed = route.map { $0.mock != nil } ?? true
            let names = isNamed ? [name] : (try? route?.mockNames.reversed().map(\.rawValue)) ?? [name]
            let files = names.map { "\(folder.newFiles)/\(MockFileName.newFile(of: $0))" }
            let misnamed = folder.misnamedMock(names: names, isNamed: isNamed, for: route)
            self.init(
                .mock,
                "there is no mock \"\(name)\" "
                    + (folder.isTopLevel
                        ? "at the top level of \(folder.path), and no folder \(MockIndex.name)" : "in \(folder.path)")
                    + (misnamed?.message ?? NearestName.list(nearest, to: name)) + ". \(seal)",
                fix: misnamed.map { "\($0.fix); otherwise add \(files[0])" }
                    ?? "add \(files.joined(separator: " or ")), or \(isNamed ? "correct" : "set") the route's mock")
        case .noVariant(let nearest):
            let wanted = variant.map { "variant \($0.quoted)" } ?? "default answer"
            let has = nearest.isEmpty ? ", and no other" : "; it has " + nearest.map(\.quoted).joined(separator: ", ")
            let file = "\(folder.newFiles)/\(MockFileName.newFile(of: name, variant: variant))"
            // If a system hides the extensions of files, users easily write an extension twice.
            let isTwice = variant == nil && nearest.contains("json")
            let misnamed =
                variant == nil && !isTwice
                ? folder.misnamedMock(
                    names: [name], besides: [ByteName(name)], isNamed: route?.mock != nil, for: route) : nil
            self.init(
                .mock,
                "the mock \(name.quoted) in \(folder.path) has no \(wanted)\(has)\(misnamed?.message ?? ""). "
                    + seal,
                fix: isTwice
                    ? "rename \(file).json to \(MockFileName.newFile(of: name))"
                    : misnamed.map { "\($0.fix); otherwise add \(file)" }
                        ?? ((nearest.isEmpty ? "" : "use one of these, or ") + "add \(file)"))
        case .invalid(let problems): self.init(problems)
        case .unreadable(let problem):
            self.init(
                .mock, "the mock \"\(name)\" cannot be read: \(problem.location): \(problem.message)", fix: problem.fix)
        }
    }
}

extension APIError {
    /// Creates the error for problems of mock files. If there are several problems, each problem's text contains its
    /// fix.
    init(_ problems: [FileProblem]) {
        guard problems.count == 1, var problem = problems.first else {
            self.init(.mock, problems.map(\.description).joined(separator: "\n"), fix: nil)
            return
        }
        let fix = problem.fix
        problem.details.fix = nil
        self.init(.mock, problem.description, fix: fix)
    }
}

extension MockIndex {
    /// Returns the mock that a route with these names probably means.
    fileprivate func misnamedMock(
        names: [String], besides used: Set<ByteName> = [], isNamed: Bool, for route: Route?
    ) -> Misnamed? {
        misnamedMock(names: names, besides: used, isNamed: isNamed) { allowed in
            // An absolute URL's path does not identify the enum case, because such a URL is often used only once.
            route.map {
                !$0.path.isAbsolute && allowed.method == $0.method.rawValue && allowed.matches(path: $0.path)
            } ?? false
        }
    }

    var path: String { FilePath.display(url) }

    /// The folder for new mocks. If mocks are at the top level of a bundle, new mocks belong in a separate folder.
    var newFiles: String { isTopLevel ? Self.name : path }
}
