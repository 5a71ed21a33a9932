import Fingerpost
import FingerpostTesting
import Foundation
import TestSupport

/// Compiles and runs the code of the article ReadingResponses.
@MainActor @Suite(.mocks) struct ReadingResponsesTests {
    enum Shop: RouteConvertible {
        case products
        case product(Int)
        case cart

        nonisolated var route: Route {
            switch self {
            case .products: .get("products").mock("products")
            case .product(let id): .get("products/\(id)").mock("product")
            case .cart: .get("cart").mock("cart")
            }
        }
    }

    enum Session: Routable {
        case logIn, log

        var path: RoutePath { "session" }
        var isWrapped: Bool {
            if case .logIn = self { false } else { true }
        }
        var responseType: (any (Decodable & Sendable).Type)? { Cart.self }
    }

    nonisolated struct Product: Decodable, Sendable {
        var id: Int
        var name: String
        var soldAt: Date?
        var details: JSONValue?  // a text, a number, a list …
    }

    nonisolated struct Cart: Decodable, Sendable {
        var total: Int
    }

    nonisolated struct Head: Decodable, Sendable {
        var status: String
        var message: String?
    }

    nonisolated struct Refused: LocalizedError {
        var reason: String
        var errorDescription: String? { reason }
    }

    nonisolated struct Problem: ErrorResponse {
        var code: Int
        var detail: String
        var message: String { detail }
        var invalid: [String: [String]]?
        var fieldErrors: [String: [String]] { invalid ?? [:] }
    }

    struct Catalogue {
        let client: APIClient

        func product(_ id: Int) async throws(APIError) -> Product? {
            do {
                return try await client.send(Shop.product(id), as: Product.self)
            } catch {
                if error.kind == .status(404) { return nil }
                throw error
            }
        }
    }

    private static let list = #"[{"id": 1, "name": "Lamp", "details": [1]}]"#

    private static func answer(_ text: String, status: Int = 200) -> MockResponse {
        .data(Data(text.utf8), status: status)
    }

    @Test func `The headers and the status are beside the value`() async throws {
        Mocks.set("products", Self.answer(Self.list).header("X-RateLimit-Remaining", "7"))
        let client = try APIClient()
        let response = try await client.response(
            for: Shop.products, as: [Product].self)
        let left = response.headers["X-RateLimit-Remaining"] ?? "unknown"
        print(response.status, response.value.count, left)
        #expect((response.status, response.value.map(\.name), left) == (200, ["Lamp"], "7"))
    }

    @Test func `A service has other names and dates`() async throws {
        Mocks.set("product", Self.answer(#"{"id": 1, "name": "Lamp", "sold_at": 1767225600}"#))
        var configuration = APIClient.Configuration()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.decoder.dateDecodingStrategy = .secondsSince1970
        configuration.encoder.keyEncodingStrategy = .convertToSnakeCase
        configuration.dialect = QueryDialect(dates: .secondsSince1970)
        let client = try APIClient(configuration)
        let product = try await client.send(Shop.product(1), as: Product.self)
        #expect(product.soldAt == Date(timeIntervalSince1970: 1_767_225_600))
    }

    nonisolated struct OrderState: RawRepresentable, Codable, Hashable {
        var rawValue: String
        static let open = OrderState(rawValue: "open")
        static let paid = OrderState(rawValue: "paid")
    }

    @Test func `A state that the service adds is read`() throws {
        let states = try JSONDecoder().decode([OrderState].self, from: Data(#"["paid", "lost"]"#.utf8))
        #expect(states == [.paid, OrderState(rawValue: "lost")])
    }

    @Test func `A body may be missing`() async throws {
        Mocks.set("cart", .status(204))
        let client = try APIClient()
        let cart = try await client.send(Shop.cart, as: Cart?.self)
        #expect(cart == nil)
    }

    @Test func `An object is around every value`() async throws {
        let answers = ["ok", "closed"].map { Self.answer(#"{"status": "\#($0)", "data": \#(Self.list)}"#) }
        Mocks.set("products", .sequence(answers))
        var configuration = APIClient.Configuration()
        configuration.wrapper = ResponseWrapper(
            valueKey: "data", head: Head.self
        ) { head in
            guard head.status == "ok" else {
                throw Refused(reason: head.message ?? head.status)
            }
        }
        let client = try APIClient(configuration)
        #expect(try await client.send(Shop.products, as: [Product].self).map(\.name) == ["Lamp"])
        let error = try await #require(throws: APIError.self) {
            try await client.send(Shop.products, as: [Product].self)
        }
        #expect(error.message.hasSuffix("closed"), "\(error)")
    }

    @Test func `A route may have no object around its value`() async throws {
        let client = try APIClient { $0.wrapper = ResponseWrapper(valueKey: "data") }
        Mocks.set("logIn", Self.answer(#"{"total": 1}"#))
        Mocks.set("log", Self.answer(#"{"data": {"total": 2}}"#))
        let totals = try await [
            client.send(Session.logIn, as: Cart.self), client.response(for: Session.log, as: Cart.self).value,
            client.send(Session.log.wrapped(false).mock("logIn"), as: Cart.self),
        ].map(\.total)
        #expect(totals == [1, 2, 1])
        #expect(try await client.send(Session.logIn, as: String.self) == #"{"total": 1}"#)
        // An audit decodes as the client does.
        let folder = try TemporaryFolder(["logIn.json": #"{"total": 1}"#, "log.json": #"{"data": {"total": 2}}"#])
        let audit = try MockAudit(
            client: client, options: .init(routes: [Session.logIn, Session.log], folder: folder.url))
        #expect(audit.findings.isEmpty, "\(audit.findings)")
    }

    @Test func `An error has the value of its body`() async throws {
        let body = #"{"code": 7, "detail": "Too late", "invalid": {"total": ["is 0"]}}"#
        Mocks.set("cart", Self.answer(body, status: 409))
        var configuration = APIClient.Configuration()
        configuration.errorResponse = Problem.self
        let client = try APIClient(configuration)
        let error = try await #require(throws: APIError.self) { try await client.send(Shop.cart) }
        #expect(((error.response as? Problem)?.code, error.serverMessage) == (7, "Too late"))
        #expect("\(error)".contains("total is 0"))
    }
}
