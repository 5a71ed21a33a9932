import FingerpostFiles
import TestSupport

@testable import Fingerpost
@testable import FingerpostMockFiles

/// Compares the route in a mock's settings with the path of a call.
@Suite(.inTurn) struct MockRouteTests {
    private static let job = "GET /jobs/{id}"

    /// The route in the settings, the path of a call, and whether they match, also as a link.
    private static let rows: [(String, RoutePath, matches: Bool, matchesLink: Bool)] = [
        // Of an absolute URL, the last segments of the path are compared.
        (job, "jobs/9?x=1", true, true), (job, "/jobs/9", true, true), (job, "https://h.example/jobs/9", true, true),
        (job, "https://h.example", false, false), (job, "https://h.example/v1.0/jobs/9?x=1", true, true),
        (job, "https://h.example/jobs/9/log", false, false), (job, "https://h.example/9", false, false),
        (job, "proxy/https://h.example/jobs/9", false, true), (job, "jobs", false, false),
        (job, "jobs/9/log", false, false),
        // A link can begin with the path of another base URL.
        (job, "v1.0/jobs/9", false, true), (job, "jobs/9", true, true), (job, "9", false, false),
        // The path of the base URL itself is that of an absolute URL without a path, and of any link.
        ("GET /", "", true, true), ("GET /", "/", true, true), ("GET /", "jobs", false, true),
        ("GET /", "https://h.example", true, true), ("GET /", "https://h.example/?x=1", true, true),
        ("GET /", "https://h.example/jobs", false, true),
    ]

    @Test(arguments: rows)
    func `A path is compared by its segments`(route: String, path: RoutePath, matches: Bool, matchesLink: Bool) throws {
        let route = try MockRoute(route)
        #expect((route.matches(path: path), route.matches(path: path, isLinked: true)) == (matches, matchesLink))
    }

    @Test func `Two spellings of an escape are the same, and empty segments are not compared`() throws {
        for (path, matches) in [
            ("/files/a%2fb", true), ("/files/a%2Fb", true), ("/files/a/b", false), ("/files/a%2f%62", true),
            ("/files/a%2fc", false),
        ] {
            let (route, paths) = (try MockRoute("GET \(path)"), ["a%2Fb", "a%2fb"])
            #expect(paths.map { route.matches(path: "files/\(raw: $0)") } == [matches, matches], "\(path)")
        }
        // Such as those of an object store.
        for path in ["/bucket/a//b", "/bucket//{folder}/b", "/bucket/a/b", "//bucket/a/b/"] {
            let (route, paths) = (try MockRoute("GET \(path)"), ["a//b", "a//c"])
            #expect(paths.map { route.matches(path: "bucket/\(raw: $0)") } == [true, false], "\(path)")
        }
    }
}
