import FingerpostFiles
import TestSupport

@testable import Fingerpost
@testable import FingerpostMockFiles

/// Compares the route in a mock's settings with the path of a call.
@Suite(.inTurn) struct MockRouteTests {
    @Test(
        arguments: [
            ("jobs/9?x=1", true), ("/jobs/9", true), ("https://h.example/jobs/9", true), ("https://h.example", false),
            ("proxy/https://h.example/jobs/9", false), ("jobs", false), ("jobs/9/log", false),
        ] as [(RoutePath, Bool)])
    func `Only the path of an absolute URL is compared`(path: RoutePath, matches: Bool) throws {
        #expect(try MockRoute("GET /jobs/{id}").matches(path: path) == matches)
    }

    @Test(arguments: ["/bucket/a//b", "/bucket//{folder}/b", "/bucket/a/b", "//bucket/a/b/"])
    func `Empty segments, such as those of an object store, are not compared`(path: String) throws {
        #expect(try MockRoute("GET \(path)").matches(path: "bucket/\(raw: "a//b")"))
        #expect(try !MockRoute("GET \(path)").matches(path: "bucket/\(raw: "a//c")"))
    }
}
