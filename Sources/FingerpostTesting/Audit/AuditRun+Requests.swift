import FingerpostChecks
import FingerpostFiles
import FingerpostMockFiles
import FingerpostMocks

extension AuditRun {
    /// Compares a route's request with the `for` entries of the route's mocks.
    mutating func lookAtRequest(of mocks: [StubDefinition], _ route: AuditedRoute) {
        if let objection = route.objection {
            return add(
                .wrongRoute, route.mock, "the sample \(route.name) cannot become a request: \(objection.message)",
                fix: objection.fix)
        }
        let usual = mocks.first { $0.variant == nil }?.settings?.route
        lookAtQuery(of: mocks, route)
        if route.isHead { lookForContent(in: mocks, route) }
        for mock in mocks {
            guard let settings = mock.settings, let allowed = settings.route, !route.fits(allowed) else { continue }
            // If variants inherit a wrong "for" entry from the default settings, only the default settings are
            // reported.
            if mock.variant != nil, allowed == usual { continue }
            add(
                .wrongRoute, route.mock,
                FileProblem(
                    path: settings.path, message: "the mock is for \(allowed), but \(route.name) is \(route.request)",
                    fix: "correct \"for\", the sample, or the route's mock"))
        }
    }

    /// Finds a default response whose `for` entry has a query that the sample lacks. If a page of the mock answers the
    /// sample, the response is not reported.
    private mutating func lookAtQuery(of mocks: [StubDefinition], _ route: AuditedRoute) {
        guard let query = route.query, let settings = mocks.first(where: { $0.variant == nil })?.settings,
            let allowed = settings.route, route.fits(allowed), !allowed.matches(query: query)
        else { return }
        // If the pages cannot be read, lookForInvalidFiles has already reported them.
        let pages = try? folder.pages(of: folder.stub(named: route.mock))
        guard pages?[query].contains(where: { route.fits($0.route) }) != true else { return }
        let sent = query.isEmpty ? "" : "?\(query)"
        add(
            .wrongRoute, route.mock,
            FileProblem(
                path: settings.path,
                message: "the mock is for \(allowed), but \(route.name) is \(route.request)\(Redaction.url(sent))",
                fix: "remove the query from \"for\", or make this response a variant"))
    }

    /// Finds mocks that answer HEAD requests but have a body.
    private mutating func lookForContent(in mocks: [StubDefinition], _ route: AuditedRoute) {
        for mock in mocks {
            // If a body cannot be read, lookForInvalidFiles has already reported the body.
            guard let file = mock.responses.first(where: { $0.failure == nil })?.body,
                let isEmpty = try? folder.contents(of: file).isEmpty, !isEmpty
            else { continue }
            add(
                .wrongRoute, route.mock,
                FileProblem(
                    path: path(file), message: "a response to HEAD has no content, but \(file) answers \(route.name)",
                    fix: "remove the body, or give the route a mock of its own"))
        }
    }
}
