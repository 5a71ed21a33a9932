import Fingerpost
import FingerpostChecks
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks
import FingerpostShared

extension AuditRun {
    /// Follows the links from page to page of a mock, and finds missing and unreachable pages.
    mutating func lookAtPages(of name: String, _ mocks: [StubDefinition]) {
        // If a mock cannot be read, lookForInvalidFiles has already reported the mock.
        guard let pages = try? folder.pages(of: folder.stub(named: name)), !pages.all.isEmpty,
            let usual = mocks.first(where: { $0.variant == nil })
        else { return }
        var (page, reached): (StubDefinition, Set<ByteName>) = (usual, [])
        while let (query, pathOfLink) = link(after: page, name) {
            guard let next = pages[query].first else {
                return add(
                    .missing, name,
                    problem(
                        of: page,
                        "the link to the next page, ?\(query), leads to no variant of the mock \"\(name)\", so its "
                            + "default answer would come again",
                        fix: "record the pages again to their end, or remove this link"))
            }
            if let path = pathOfLink, !next.route.matches(path: RoutePath(raw: path)) {
                return add(
                    .missing, name,
                    problem(
                        of: page, "the link to the next page leads to /\(path), but the page is for \(next.route)",
                        fix: "correct the link, or \"for\" of the variant \"\(next.variant)\""))
            }
            // If a link leads to the page itself, the page's response omits the link, so the audit does not follow it.
            if page.variant?.isSame(as: next.variant) == true { break }
            guard reached.insert(ByteName(next.variant)).inserted,
                let mock = mocks.first(where: { $0.variant?.isSame(as: next.variant) == true })
            else {
                return add(
                    .invalidFile, name,
                    problem(
                        of: page,
                        "the link to the next page, ?\(query), leads back to the variant \"\(next.variant)\" of the "
                            + "mock \"\(name)\"",
                        fix: "correct the link, or remove it"))
            }
            page = mock
        }
        guard !reached.isEmpty else { return }
        for mock in mocks {
            guard let variant = mock.variant, !reached.contains(ByteName(variant)), let settings = mock.settings,
                settings.recorded != nil, pages.all.contains(where: { $0.variant.isSame(as: variant) })
            else { continue }
            add(
                .orphan, name,
                .warning(
                    path: settings.path, message: "no page of the mock \"\(name)\" leads to this page",
                    fix: "remove it, or record the pages again"))
        }
    }

    /// Reads a page's link to the next page, and returns the link's query. If the link starts with a base URL of the
    /// environment, also returns the link's path. Returns nil for the last page.
    private mutating func link(after page: StubDefinition, _ name: String) -> (query: String, path: String?)? {
        let header = page.responses.first?.headers.last { HTTPHeaders.Name(rawValue: $0.name) == .link }
        guard let value = header?.value, !value.isEmpty else { return nil }
        guard let links = WebLink.all(in: value) else {
            add(
                .invalidFile, name,
                problem(of: page, "the header Link is malformed", fix: "write <address>; rel=\"next\""))
            return nil
        }
        // The page's own address is unknown, so a link with an anchor may belong to another page.
        let next = links.filter { $0.isNext(at: nil) }
        guard let target = (next.first { $0.anchor == nil } ?? next.first)?.target else { return nil }
        let query = target.cut(at: "?")?.after ?? ""
        let below = target.begins(with: LayeredEnvironment.keyStart) ? target.cut(at: "}")?.after : nil
        return (
            String(query.prefix(before: "#")),
            below.map { String($0.prefix(before: "?#")).words(between: "/").joined(separator: "/") }
        )
    }

    private func problem(of page: StubDefinition, _ message: String, fix: String) -> FileProblem {
        FileProblem(
            path: page.settings?.path ?? path(page.file ?? page.name), line: page.responses.first?.line,
            message: message, fix: fix)
    }
}
