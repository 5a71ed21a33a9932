import CallSupport
import Fingerpost
import FingerpostStreams
import FingerpostTesting
import FingerpostTransfers
import Foundation
import TestSupport

/// Compiles and runs the code of the article EverydayRecipes.
@MainActor @Suite(.inTurn) struct EverydayRecipesTests {
    enum Shop: RouteConvertible {
        case products, reviews, orders, customers
        case search(String)

        nonisolated var route: Route {
            switch self {
            case .products: .get("products").mock("products")
            case .reviews: .get("reviews").mock("reviews")
            case .orders: .get("orders").mock("orders")
            case .customers: .get("customers").mock("customers")
            case .search(let text): .get("search").query("q", text).mock("search")
            }
        }
    }

    nonisolated struct Product: Codable, Sendable { var name: String }
    nonisolated struct Order: Codable, Sendable { var id: Int }

    nonisolated struct Reviews: Codable, Sendable {
        var texts: [String]
        var next: String?
    }

    nonisolated struct Customers: Codable, Sendable {
        var names: [String]
        var next: URL?
    }

    @MainActor final class SearchModel {
        private(set) var results: [Product] = []
        private let client: APIClient
        private var task: Task<Void, any Error>?

        init(client: APIClient) {
            self.client = client
        }

        func textChanged(to text: String) {
            task?.cancel()
            task = Task {
                try await APIScope.clock.sleep(for: .milliseconds(300))
                results = try await client.send(
                    Shop.search(text), as: [Product].self)
            }
        }
    }

    @Test(.mocks) func `Pages are loaded by links, cursors and numbers`() async throws {
        let client = try APIClient()
        Mocks.set(
            "products",
            .respond { request in
                let isLast = request.url?.query == "page=2"
                let page = MockResponse.json([Product(name: isLast ? "Table" : "Sofa")])
                return isLast ? page : page.header(.link, "<products?page=2>; rel=\"next\"")
            })
        Mocks.set("reviews", .sequence([.json(Reviews(texts: ["a"], next: "x")), .json(Reviews(texts: ["b"]))]))
        Mocks.set("orders", .json([Order(id: 1)]))
        var products: [Product] = []
        for try await page in client.pages(Shop.products, as: [Product].self) {
            products += page.value
        }
        var names = [products.map(\.name)]

        let customers = client.pages(
            Shop.customers, as: Customers.self, by: .url { $0.next })
        let posts = client.pages(
            Shop.reviews, as: Reviews.self, by: .cursor("after") { $0.next })
        let orders = client.pages(
            Shop.orders, as: [Order].self, by: .number("page") { $0.count < 50 })
        let invoices = client.pages(
            Shop.orders, as: [Order].self,
            by: .number("offset", from: 0, step: 50) { $0.count < 50 })
        let disks = client.pages(
            Shop.products, as: [Product].self,
            by: .response("page") { $0.headers["opc-next-page"] })
        Mocks.set(
            "customers",
            .sequence([.json(Customers(names: ["a"], next: URL(string: "?page=2"))), .json(Customers(names: ["b"]))]))
        names.append(try await customers.all().flatMap(\.value.names))
        Mocks.set("customers", .json(Customers(names: ["c"])))
        let link = try #require(URL(string: "customers?$deltatoken=x"))
        let changes = client.pages(
            from: link, of: Shop.customers, as: Customers.self, by: .url { $0.next })
        names.append(try await changes.page()?.value.names ?? [])
        names.append(try await posts.all().flatMap(\.value.texts))
        names.append(try await orders.all().flatMap { $0.value.map { "\($0.id)" } })
        for try await _ in invoices {}
        names.append(try await disks.all().flatMap { $0.value.map(\.name) })

        products = []
        let pages = client.pages(Shop.products, as: [Product].self)
        var last = try await pages.page()
        while let page = last {
            products += page.value
            last = try await pages.page(after: page)
        }
        names.append(products.map(\.name))
        #expect(names == [["Sofa", "Table"], ["a", "b"], ["c"], ["a", "b"], ["1"], ["Sofa"], ["Sofa", "Table"]])
    }

    @Test(.mocks) func `The limits of a server`() async throws {
        var configuration = APIClient.Configuration()
        configuration.retry = .standard
        configuration.retry?.rateLimit = .rateLimit(
            status: 403,
            remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
        configuration.retryRule = { response in
            switch response.headers["x-should-retry"] {
            case "true": .retry()
            case "false": .stop
            default: nil
            }
        }
        let limited = MockResponse.status(403).header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset", "3")
        Mocks.set("products", .sequence([limited, .json([0]).header("x-should-retry", "true"), .json([1])]))
        #expect(try await APIClient(configuration).send(Shop.products, as: [Int].self) == [1])
    }

    @Test(.mocks) func `Work that takes longer`() async throws {
        let client = try APIClient()
        func result(of route: Route) async throws -> Data {
            var response = try await client.response(for: route, as: Data.self)
            let job = URL(
                string: response.headers[.location] ?? "",
                relativeTo: response.request.url)
            while response.status == 202, let job {
                let wait = response.headers[.retryAfter].flatMap(Double.init)
                try await APIScope.clock.sleep(for: .seconds(wait ?? 1))
                response = try await client.response(
                    for: Route.get(job).mock("job"), as: Data.self)
            }
            return response.data
        }
        let accepted = MockResponse.status(202).header(.retryAfter, "2.5")
        Mocks.set("report", accepted.header(.location, "/jobs/7"))
        Mocks.set("job", .sequence([accepted, .status(202), .json([1])]))
        #expect(try await result(of: Route.post("reports").mock("report")) == Data("[1]".utf8))
        #expect(
            Mocks.calls(of: "job").map(\.line) == [202, 202, 200].map { "GET https://api.github.invalid/jobs/7 \($0)" })
    }

    @Test(.mocks) func `A token in a file, and a copy of the client`() async throws {
        var configuration = APIClient.Configuration()
        let folder = try TemporaryFolder()
        let signIn = { @Sendable () async throws -> String in "new" }
        let adminToken = "admin"
        let store = FileCredentialStore(folder["token"])
        configuration.authorization = .refreshing(store) { expired in
            try await signIn()
        }
        let client = try APIClient(configuration)
        let admin = client.with { $0.authorization = .bearer(adminToken) }
        Mocks.set("products", .json([1]))
        _ = try await admin.data(for: Shop.products)
        #expect(Mocks.calls.first?.request.value(forHTTPHeaderField: "Authorization") == "Bearer admin")
    }
}

@MainActor @Suite(.inTurn) struct SearchModelTests {
    typealias SearchModel = EverydayRecipesTests.SearchModel

    init() {
        // In the article, the folder of mocks has this answer.
        Mocks.set("search", .json([EverydayRecipesTests.Product(name: "Sofa")]))
    }

    @Test(.mocks) func searchesOnce() async throws {
        let model = SearchModel(client: try APIClient())
        for text in ["s", "so", "sofa"] { model.textChanged(to: text) }
        let call = try await Mocks.next("search")
        #expect(call.request.url?.query == "q=sofa")
        #expect(model.results.map(\.name) == ["Sofa"])
    }
}
