import CallSupport

@Suite(.inTurn) struct RouterTests {
    enum Properties: Routable {
        case user(login: String)
        case createRepo(name: String, isPrivate: Bool)

        var path: RoutePath { "x" }
    }

    struct Minimal: Routable { var path: RoutePath { "x" } }

    private let base = URL(string: "https://api.example.com")

    @Test func `The closure form, the fluent form and the initializer build equal requests`() throws {
        let closure = Route {
            $0.method = .post
            $0.path = "login"
            $0.parameters = ["email": "a@b.example"]
            $0.headers[.accept] = "text/plain"
            $0.mock = "login"
        }
        let fluent = Route.post("login").mock("login").header(.accept, "text/plain")
            .parameters(["email": "a@b.example"])
        var assigned = Route(method: .post, path: "login")
        assigned.parameters = ["email": "a@b.example"]
        assigned.headers = [.accept: "text/plain"]
        assigned.mock = "login"
        let requests = try [closure, fluent, assigned].map { try $0.urlRequest(relativeTo: base) }
        #expect(Set(requests).count == 1 && Set(requests.map(\.httpBody)).count == 1)
    }

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
