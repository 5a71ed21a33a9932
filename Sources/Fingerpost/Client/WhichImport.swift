public import Dispatch
public import Foundation

// The names of methods in other products, so that the compiler says which import is missing. With the import, the
// methods of the product are used.
extension APIClient {
    /// In the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public func request<Value>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, on queue: DispatchQueue = .main,
        completion: @escaping @MainActor @Sendable (Result<Value, APIError>) -> Void
    ) {}

    /// In the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public var blocking: APIClient { self }

    /// In the module FingerpostMocks.
    @available(*, unavailable, message: "link the product Fingerpost, and import FingerpostMocks")
    public static func mocked(
        scenario: String? = nil, variants: [MockName: String] = [:], mocks: URL? = nil
    ) -> APIClient { shared }

    /// In the product FingerpostTransfers.
    @available(*, unavailable, message: "add the product FingerpostTransfers to the target, and import it")
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, resuming: Bool = false
    ) async throws(APIError) -> Response<URL> {
        try await response(for: route, as: NoContent.self).map { _ in file }
    }

    /// In the product FingerpostTransfers.
    @available(*, unavailable, message: "add the product FingerpostTransfers to the target, and import it")
    @discardableResult
    public func send(_ route: some RouteConvertible, into sink: any BodySink) async throws(APIError) -> Response<Void> {
        try await response(for: route, as: NoContent.self).map { _ in }
    }

    /// In the product FingerpostStreams.
    @available(*, unavailable, message: "add the product FingerpostStreams to the target, and import it")
    public func stream(_ route: some RouteConvertible) async throws(APIError) -> NotImported<[UInt8]> { NotImported() }

    /// In the product FingerpostStreams.
    @available(*, unavailable, message: "add the product FingerpostStreams to the target, and import it")
    public func events(_ route: some RouteConvertible) -> NotImported<ServerSentEvent> { NotImported() }

    /// In the product FingerpostStreams.
    @available(*, unavailable, message: "add the product FingerpostStreams to the target, and import it")
    public func pages<Value: Decodable & Sendable>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, maximum: Int = 1000
    ) -> NotImported<Response<Value>> { NotImported() }
}

extension RequestBody {
    /// In the product FingerpostTransfers.
    @available(*, unavailable, message: "add the product FingerpostTransfers to the target, and import it")
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody { .data(Data()) }
}

extension Environment {
    /// In the product FingerpostSwitching.
    @available(*, unavailable, message: "add the product FingerpostSwitching to the target, and import it")
    public static func choose(_ name: String?) throws(EnvironmentError) {}

    /// In the product FingerpostSwitching.
    @available(*, unavailable, message: "add the product FingerpostSwitching to the target, and import it")
    public static var changes: NotImported<String> { NotImported() }
}

/// In place of what a method of another product returns. It has the members that code uses, so that the compiler's
/// error is about the method.
@available(*, unavailable)
public struct NotImported<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// Nil.
    public func next() async throws -> Element? { nil }

    /// In the product FingerpostStreams.
    public var lines: NotImported<String> { NotImported<String>() }
    /// In the product FingerpostStreams.
    public var events: NotImported<ServerSentEvent> { NotImported<ServerSentEvent>() }
    /// In the product FingerpostStreams.
    public func json<Value>(as type: Value.Type = Value.self) -> NotImported<Value> { NotImported<Value>() }
    /// Begins to read.
    public func makeAsyncIterator() -> Self { self }
}
