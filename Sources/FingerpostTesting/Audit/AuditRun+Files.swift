import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

extension AuditRun {
    mutating func lookForInvalidFiles() {
        for problem in MockFolderCheck.problems(of: folder, knowsRoutes: true) {
            let path = FilePath.display(folder.url) + "/"
            let file = (problem.path ?? "").trimmingPrefix(path)
            add(problem.kind == .expired ? .expired : .invalidFile, MockFileName(ownMock: String(file)).mock, problem)
        }
    }

    /// Returns the mock with this name. If the mock does not exist, adds a finding and returns nil. A missing variant
    /// is not a finding.
    ///
    /// - Parameter used: the names of all mocks that routes use.
    mutating func mock(
        named name: String, variant: String? = nil, of routes: [AuditedRoute] = [], besides used: Set<ByteName> = []
    ) -> StubDefinition? {
        do throws(MockIndex.Failure) {
            return try folder.mock(named: name, variant: variant)
        } catch {
            let users = Set(routes.map(\.name)).sorted().joined(separator: ", ")
            switch error {
            case .malformedName(let objection):
                add(
                    .missing, name, "the mock name \"\(name)\" of \(users) is invalid: \(objection)",
                    fix: "name a file inside the folder, with / between folders")
            case .notFound(let nearest):
                let router = routes.compactMap(\.router?.name).first
                let place = FilePath.display(folder.url)
                let file = MockFileName.newFile(of: name)
                let names = [name] + (router.map { ["\($0)/\(name)"] } ?? [])
                let found = folder.misnamedMock(names: names, besides: used.union(misnamed)) { route in
                    routes.contains { !$0.isAbsolute && $0.fits(route) }
                }
                if let found { misnamed.insert(ByteName(found.name)) }
                add(
                    .missing, name,
                    "the mock \"\(name)\" for \(users) is missing"
                        + (found?.message ?? NearestName.list(nearest, to: "\(name)")),
                    fix: found.map { "\($0.fix); otherwise add \(place)/\(file)" }
                        ?? router.map { "add \(place)/\(file) or \(place)/\($0)/\(file), or set the route's mock" }
                        ?? "add \(place)/\(file), or correct the route's mock")
            case .noVariant(let nearest):
                // If a system hides the extensions of files, people easily write an extension twice.
                guard variant == nil, nearest.contains("json") else { break }
                let file = MockFileName.newFile(of: name)
                add(
                    .missing, name,
                    FileProblem(
                        path: path(file + MockFileName.bodySuffix),
                        message:
                            "the mock \"\(name)\" for \(users) is missing: the extension of this file is written twice",
                        fix: "rename it to \(file)"))
            case .invalid(let problems):
                for problem in problems { add(.invalidFile, name, problem) }
            case .unreadable(let problem): add(.invalidFile, name, problem)
            }
            return nil
        }
    }

    mutating func lookForOrphans(besides names: Set<ByteName>, _ mocks: [StubDefinition]) {
        let names = Set(names.map { ByteName($0.text.mockName) })
        let bodies = Set(mocks.flatMap(\.arrivingAnswers).compactMap(\.body).map(ByteName.init))
        let used = names.map(\.text).sorted()
        var kept = names.union(misnamed)
        // Mocks with a `for` entry answer the requests of sessions.
        if answersSessions { kept.formUnion(RequestSearch.candidates(in: folder).found.map { ByteName($0.mock) }) }
        for file in folder.fileNames {
            let owner = ByteName(folder.owner(of: file, named: names).mock)
            if kept.contains(owner) || bodies.contains(ByteName(file)) { continue }
            let own = MockFileName(ownMock: file)
            // A mock in the router's folder takes precedence over a mock with the same name outside the folder.
            let other = used.first { $0.ends(with: "/" + own.mock) }.flatMap { folder.stub(named: $0).files.first }
            let reason =
                other.map { ": \(path($0)) answers in its place" } ?? successor(of: own, among: mocks)
                .map { ": the recording of \($0.request) is \($0.mock.quoted) now" } ?? ""
            add(
                .orphan, own.mock,
                FileProblem(
                    path: path(file),
                    message: "no route names this mock" + reason,
                    fix: "remove it, name it in a route, add its route to the samples, or leave it out with options: "
                        + ".init(ignoring: …)"))
        }
    }

    /// Returns another recording of the same request. For example, if an enum case is renamed, the recording with the
    /// old name remains. Returns nil if there is no other recording.
    private func successor(of file: MockFileName, among mocks: [StubDefinition]) -> (request: MockRoute, mock: String)?
    {
        // If a mock cannot be read, lookForInvalidFiles has already reported the mock.
        guard let settings = (try? folder.mock(named: file.mock))?.settings, settings.recorded != nil,
            let request = settings.route
        else { return nil }
        let mock = mocks.first { $0.settings?.recorded != nil && $0.settings?.route?.isSame(as: request) == true }
        return mock.map { (request, $0.name) }
    }

    mutating func lookForSecrets() {
        for file in folder.fileNames {
            for problem in MockSecrets.problems(of: file, in: folder, by: scan.matches) {
                add(.secret, MockFileName(ownMock: file).mock, problem)
            }
        }
    }
}

extension MockRoute {
    /// Returns true if both routes describe the same request. The names of their placeholders may differ.
    fileprivate func isSame(as other: MockRoute) -> Bool {
        method == other.method && comparedSegments == other.comparedSegments && query == other.query
    }
}
