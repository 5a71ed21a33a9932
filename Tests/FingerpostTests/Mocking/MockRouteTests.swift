import FingerpostFiles
import TestSupport

@testable import Fingerpost
@testable import FingerpostMockFiles

/// Compares the route in a mock's settings with the path of a call.
@Suite(.inTurn) struct MockRouteTests {
    @Test(
        arguments: [
            ("jobs/9?x=1", true), ("/jobs/9", true), ("https://h.example/jobs/9", true), ("https://h.example", false),
            ("https://h.example/v1.0/jobs/9?x=1", true), ("https://h.example/jobs/9/log", false),
            ("https://h.example/9", false), ("v1.0/jobs/9", false),
            ("proxy/https://h.example/jobs/9", false), ("jobs", false), ("jobs/9/log", false),
        ] as [(RoutePath, Bool)])
    func `Of an absolute URL, the last segments of the path are compared`(path: RoutePath, matches: Bool) throws {
        #expect(try MockRoute("GET /jobs/{id}").matches(path: path) == matches)
    }

    @Test(
        arguments: [
            ("", true, true), ("/", true, true), ("jobs", false, true), ("https://h.example", true, true),
            ("https://h.example/?x=1", true, true), ("https://h.example/jobs", false, true),
        ] as [(RoutePath, Bool, Bool)])
    func `The path of the base URL itself is that of an absolute URL without a path, and of any link`(
        path: RoutePath, matches: Bool, matchesLink: Bool
    ) throws {
        #expect(try MockRoute("GET /").matches(path: path) == matches)
        #expect(try MockRoute("GET /").matches(path: path, isLinked: true) == matchesLink)
    }

    @Test(arguments: [("v1.0/jobs/9", true), ("jobs/9", true), ("9", false), ("jobs/9/log", false)])
    func `A link can begin with the path of another base URL`(path: RoutePath, matches: Bool) throws {
        #expect(try MockRoute("GET /jobs/{id}").matches(path: path, isLinked: true) == matches)
    }

    @Test(
        arguments: [
            ("/files/a%2fb", true), ("/files/a%2Fb", true), ("/files/a/b", false), ("/files/a%2f%62", true),
            ("/files/a%2fc", false),
        ])
    func `Two spellings of an escape are the same`(path: String, matches: Bool) throws {
        #expect(try MockRoute("GET \(path)").matches(path: "files/\(raw: "a%2Fb")") == matches)
        #expect(try MockRoute("GET \(path)").matches(path: "files/\(raw: "a%2fb")") == matches)
    }

    @Test(arguments: ["/bucket/a//b", "/bucket//{folder}/b", "/bucket/a/b", "//bucket/a/b/"])
    func `Empty segments, such as those of an object store, are not compared`(path: String) throws {
        #expect(try MockRoute("GET \(path)").matches(path: "bucket/\(raw: "a//b")"))
        #expect(try !MockRoute("GET \(path)").matches(path: "bucket/\(raw: "a//c")"))
    }
}
