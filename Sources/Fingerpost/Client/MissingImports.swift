public import Dispatch
public import Foundation

// These placeholders stand for methods of other products, so that the compiler reports which import is missing. If the
// product is imported, the compiler uses the product's method instead.
extension APIClient {
    /// Part of the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public func request<Value>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, on queue: DispatchQueue = .main,
        completion: @escaping @MainActor @Sendable (Result<Value, APIError>) -> Void
    ) {}

    /// Part of the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public var blocking: APIClient { self }

    /// Part of the module FingerpostMocks.
    @available(*, unavailable, message: "link the product Fingerpost, and import FingerpostMocks")
    public static func mocked(
        scenario: String? = nil, variants: [MockName: String] = [:], mocks: URL? = nil
    ) -> APIClient { shared }

    /// Part of the product FingerpostTransfers.
    @available(*, unavailable, message: "add the product FingerpostTransfers to the target, and import it")
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, resuming: Bool = false
    ) async throws(APIError) -> Response<URL> {
        try await response(for: route, as: NoContent.self).map { _ in file }
    }

    /// Part of the product FingerpostTransfers.
    @available(*, unavailable, message: "add the product FingerpostTransfers to the target, and import it")
    @discardableResult
    public func send(_ route: some RouteConvertible, into sink: any BodySink) async throws(APIError) -> Response<Void> {
        try await response(for: route, as: NoContent.self).map { _ in }
    }

    /// Part of the product FingerpostStreams.
    @available(*, unavailable, message: "add the product FingerpostStreams to the target, and import it")
    public func stream(_ route: some RouteConvertible) async throws(APIError) -> NotImported<[UInt8]> { NotImported() }

    /// Part of the product FingerpostStreams.
    @available(*, unavailable, message: "add the product FingerpostStreams to the target, and import it")
    public func events(_ route: some RouteConvertible) -> NotImported<ServerSentEvent> { NotImported() }

    /// Part of the product FingerpostStreams.
    @available(*, unavailable, message: "add the product FingerpostStreams to the target, and import it")
    public func pages<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, maximum: Int = 1000
    ) -> NotImported<Response<Value>> { NotImported() }
}

extension APIScope {
    /// Part of the module FingerpostMocks.
    @available(*, unavailable, message: "link the product Fingerpost, and import FingerpostMocks")
    public convenience init(
        environment: Environment? = nil, network: Environment.Network? = nil, mocks: URL?,
        variants: [MockName: String] = [:], clock: any Clock<Duration> = ContinuousClock()
    ) { self.init(environment: environment, network: network) }
}

extension RequestBody {
    /// Part of the product FingerpostTransfers.
    @available(*, unavailable, message: "add the product FingerpostTransfers to the target, and import it")
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody { .data(Data()) }
}

extension Environment {
    /// Part of the product FingerpostSwitching.
    @available(*, unavailable, message: "add the product FingerpostSwitching to the target, and import it")
    public static func choose(_ name: String?) throws(EnvironmentError) {}

    /// Part of the product FingerpostSwitching.
    @available(*, unavailable, message: "add the product FingerpostSwitching to the target, and import it")
    public static var changes: NotImported<String> { NotImported() }
}

/// Replaces the result type of a method that another product declares. This type has the members that code uses on the
/// result, so the compiler's only error is about the method.
@available(*, unavailable)
public struct NotImported<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// Returns nil.
    public func next() async throws -> Element? { nil }

    /// Part of the product FingerpostStreams.
    public var lines: NotImported<String> { NotImported<String>() }
    /// Part of the product FingerpostStreams.
    public var events: NotImported<ServerSentEvent> { NotImported<ServerSentEvent>() }
    /// Part of the product FingerpostStreams.
    public func json<Value>(as type: Value.Type = Value.self) -> NotImported<Value> { NotImported<Value>() }
    /// Returns the sequence itself.
    public func makeAsyncIterator() -> Self { self }
}
