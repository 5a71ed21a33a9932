public import Dispatch

// The names of methods in other products, so that the compiler says which import is missing. With the import, the
// methods of the product are used.
extension APIClient {
    /// In the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public func request<Value>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, APIError>) -> Void
    ) {}

    /// In the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public func request<Value>(
        _ route: some RouteConvertible, as type: Value.Type = Value.self, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, APIError>) -> Void
    ) {}

    /// In the product FingerpostCallbacks.
    @available(*, unavailable, message: "add the product FingerpostCallbacks to the target, and import it")
    public var blocking: APIClient { self }
}
