import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import Foundation

extension AuditRun {
    mutating func lookForInvalidFiles() {
        // With the date .distantPast, this check reports no expired recordings. Instead, lookForExpired reports expired
        // recordings, together with the command that renews them.
        for problem in MockFolderCheck.problems(of: folder, at: .distantPast, knowsRoutes: true) {
            let path = FilePath.display(folder.url) + "/"
            let file = (problem.path ?? "").trimmingPrefix(path)
            add(.invalidFile, MockFileName(ownMock: String(file)).mock, problem)
        }
    }

    /// Returns the mock with this name. If the mock does not exist, adds a finding and returns nil. A missing variant
    /// is not a finding.
    ///
    /// - Parameter used: the names of all mocks that routes name.
    mutating func mock(
        named name: String, variant: String? = nil, of routes: [AuditedRoute] = [], besides used: Set<ByteName> = []
    ) -> FoundMock? {
        do throws(MockFolder.Failure) {
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
                let found = folder.earlierMock(names: names, besides: used) { route in
                    routes.contains { $0.fits(route) }
                }
                if let found { earlier.insert(ByteName(found.name)) }
                add(
                    .missing, name,
                    "the mock \"\(name)\" for \(users) is missing" + (found?.message ?? NearestName.list(nearest)),
                    fix: (found.map { "\($0.fix); otherwise " } ?? "")
                        + (router.map {
                            "add \(place)/\(file) or \(place)/\($0)/\(file), or set the route's mock"
                        } ?? "add \(place)/\(file), or correct the route's mock"))
            case .noVariant: break
            case .invalid(let problems):
                for problem in problems { add(.invalidFile, name, problem) }
            case .unreadable(let problem): add(.invalidFile, name, problem)
            }
            return nil
        }
    }

    mutating func lookForOrphans(besides names: Set<ByteName>, _ mocks: [FoundMock]) {
        let names = Set(names.map { ByteName($0.text.mockName) })
        let bodies = Set(mocks.flatMap(\.arrivingAnswers).compactMap(\.body).map(ByteName.init))
        for file in folder.fileNames {
            let owner = ByteName(folder.owner(of: file, named: names).mock)
            if names.contains(owner) || earlier.contains(owner) || bodies.contains(ByteName(file)) { continue }
            add(
                .orphan, MockFileName(ownMock: file).mock,
                FileProblem(
                    path: path(file), message: "no route names this mock",
                    fix: "remove it, name it in a route, add its route to the samples, or leave it out with ignoring:"))
        }
    }

    mutating func lookForExpired(_ mocks: [ByteName: [FoundMock]]) {
        for (name, mocks) in mocks {
            for mock in mocks {
                guard let settings = mock.settings, let recorded = settings.recorded, recorded.isExpired(at: Date())
                else { continue }
                let day = ISO8601Text.text(of: recorded.at).prefix(10)
                let source = recorded.from ?? "<environment>"
                add(
                    .expired, name.text,
                    .warning(
                        path: settings.path, line: recorded.line,
                        message: "the recording of the mock \"\(name.text)\" from \(day) has expired",
                        fix:
                            "record it again with MOCKS=record:\(source), or check with MOCKS=drift:\(source) whether "
                            + "it is still accurate"))
            }
        }
    }

    mutating func lookForSecrets() {
        for file in folder.fileNames {
            guard let data = MockSecrets.text(of: file, in: folder) else { continue }
            for match in scan.matches(in: data) {
                let problem = MockSecrets.problem(match.kind, in: path(file), line: match.line)
                add(.secret, MockFileName(ownMock: file).mock, problem)
            }
        }
    }
}
