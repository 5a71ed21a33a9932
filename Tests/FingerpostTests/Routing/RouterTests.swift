import CallSupport

@Suite(.inTurn) struct RouterTests {
    enum Properties: Routable {
        case user(login: String)
        case createRepo(name: String, isPrivate: Bool)

        var path: RoutePath { "x" }
    }

    struct Minimal: Routable { var path: RoutePath { "x" } }

    @Test func `Names identify the endpoint and leave out the values`() throws {
        let cases: [(any RouteConvertible, String)] = [
            (Properties.user(login: "secret"), "Properties.user(login:)"),
            (Properties.createRepo(name: "n", isPrivate: true), "Properties.createRepo(name:isPrivate:)"),
            (Minimal(), "Minimal"),
            (Nameless.plain, "Nameless.plain"),
            (Nameless.unlabelled(7), "Nameless.unlabelled(_:)"),
            (Nameless.two(1, x: 2), "Nameless.two(_:x:)"),
            (Route.post("login?token=abc"), "POST login?token=<redacted>"),
        ]
        for (value, name) in cases {
            let error = try failure { try value.urlRequest(relativeTo: nil) }
            #expect(error.route == name)
        }
    }

    enum Nameless: Routable {
        case plain
        case unlabelled(Int)
        case two(Int, x: Int)
        var path: RoutePath { "x" }
    }
}
