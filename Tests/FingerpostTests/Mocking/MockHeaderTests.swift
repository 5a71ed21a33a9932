import FingerpostFiles
import FingerpostTesting
import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// Headers in the settings of mocks.
@Suite(.inTurn) struct MockHeaderTests {
    private typealias Fixture = MockServingTests.Fixture

    private static let values: Parameters = [
        "$secrets": ["token", "own.password"], "token": "t0ken-value", "own": ["password": "p4ssword", "name": "n"],
        "uploads": ["baseURL": "https://up.test.invalid/files/?key=1"], "port": 8080, "list": ["a"],
    ]

    private static func fixture(_ header: String, _ value: String) throws -> Fixture {
        let headers = [header: value]
        let settings = String(decoding: try JSONEncoder().encode(["headers": headers]), as: UTF8.self)
        return try Fixture(["job.json": "1", "job.mock.json": settings], values: values)
    }

    /// Each with the header, or with the message of the error.
    private static let written: [(String, header: String?, message: String?)] = [
        ("{env.baseURL}/jobs/1", "https://api.test.invalid/v1/jobs/1", nil),
        ("{env.baseURL}?page=2", "https://api.test.invalid/v1?page=2", nil),
        ("a {env.uploads.baseURL}/1, {env.port}{env.own.name}", "a https://up.test.invalid/files/1, 8080n", nil),
        ("{env.own.name}\u{301}", "n\u{301}", nil), ("{Env.x}", "{Env.x}", nil), ("{baseURL}", "{baseURL}", nil),
        (#"{"a": {}}"#, #"{"a": {}}"#, nil), ("", "", nil),
        ("{env. {env.own.name}}", nil, #"there is no key of the environment " {env.own.name""#),
        ("{env.baseUrl}/1", nil, #"there is no key of the environment "baseUrl" (did you mean "baseURL"?)"#),
        ("{env.token}", nil, #""token" is or contains a secret, which mocks must not show"#),
        ("{env.own}", nil, #""own" is or contains a secret, which mocks must not show"#),
        ("{env.list}", nil, #""list" is a list, which is not text"#),
    ]

    @Test(arguments: written)
    func `A value of the environment replaces its key, and a key without text is an error`(
        value: String, header: String?, message: String?
    ) async throws {
        let fixture = try Self.fixture("Location", value)
        let location = try? await fixture.response(.job(id: 1)).headers[.location]
        let error = fixture.scope.calls.last?.error
        let file = FilePath.display(fixture.folder["job.mock.json"])
        #expect(
            (location, error?.kind, error?.message, error?.fix == nil) == (
                header, message.map { _ in .mock }, message.map { "\(file): the header Location: \($0)" },
                message == nil
            ))
    }

    @Test func `A value of the environment replaces its key in a header set in code`() async throws {
        let fixture = try Self.fixture("X", "x")
        fixture.scope.run {
            Mocks.set(
                "job",
                .sequence([
                    .json(1).header(.location, "{env.baseURL}/jobs/2").header(.location, "b"),
                    .json(1).header(.location, "{env.token}"),
                ]))
        }
        let location = try await fixture.response(.job(id: 1)).headers[.location]
        let seen = (location, await fixture.error(.job(id: 1))?.message)
        #expect(
            seen == (
                "https://api.test.invalid/v1/jobs/2, b",
                #"the answer set for the mock "job": the header Location: "token" is or contains a "#
                    + "secret, which mocks must not show"
            ))
    }

    @Test func `A variant and an answer of a sequence have headers of their own`() async throws {
        let fixture = try Fixture([
            "job.json": "1",
            "job.mock.json": #"{"sequence": [{"headers": {"Location": "{env.baseURL}/1"}}, {}], "after": "loop"}"#,
            "job.404.mock.json": #"{"headers": {"Location": ["{env.baseURL}/2", "{env.baseURL}/3"]}}"#,
        ])
        let base = "https://api.test.invalid/v1"
        var locations: [String?] = []
        for _ in 0..<2 { locations.append(try await fixture.response(.job(id: 1)).headers[.location]) }
        fixture.scope.run { Mocks.set("job", .variant("404")) }
        locations.append(await fixture.error(.job(id: 1))?.headers[.location])
        #expect(locations == ["\(base)/1", nil, "\(base)/2, \(base)/3"])
    }

    /// Each with what is left of it for a request to `https://h.example/a/jobs?page=2&size=3`.
    private static let links: [(String, String?)] = [
        ("<https://h.example/a/jobs?page=2&size=3>; rel=\"next\"", nil),
        ("<https://h.example/a/jobs?size=3&page=2>; rel=next", nil),
        ("<HTTPS://H.example:443/a/jobs?page=2&size=3>; title=x; Rel = \"prefetch NEXT\"", nil),
        ("<?page=2&size=3>; rel=next", nil), ("<jobs?page=2&size=3>; rel=next", nil),
        ("</a/jobs?page=2&size=3>; rel=next, <a>; rel=prev", "<a>; rel=prev"),
        ("<a,b>; rel=prev, <?page=2&size=3>; rel=\"next\", <c>; rel=last", "<a,b>; rel=prev, <c>; rel=last"),
        ("<?page=3&size=3>; rel=next", ""), ("<?page=2>; rel=next", ""), ("<?page=2&size=3>; rel=self", ""),
        ("<?page=2&size=3>; rel=last,  <?page=2&size=3>; rel=first", ""),
        ("<http://h.example/a/jobs?page=2&size=3>; rel=next", ""),
        ("<?page=2&size=3>; title=next", ""), ("<?page=2&size=3>", ""), ("<?page=2&size=3; rel=next", ""), ("next", ""),
    ]

    @Test(arguments: links)
    func `A link to the next page that leads to the request itself is left out`(link: String, left: String?) {
        let url = URL(string: "https://h.example/a/jobs?page=2&size=3")!
        #expect(LastPage.link(link, at: url) == (left == "" ? link : left))
    }

    @Test func `A loop over pages that one mock answers ends`() async throws {
        let fixture = try Self.fixture("Link", "<{env.baseURL}/jobs/1?owner=b>; rel=\"next\"")
        let first = try await fixture.response(.job(id: 1, owner: "a"))
        let second = try await fixture.response(.job(id: 1, owner: "b"))
        let next = "<https://api.test.invalid/v1/jobs/1?owner=b>; rel=\"next\""
        #expect([first, second].map { $0.headers[.link] } == [next, nil])
    }
}
