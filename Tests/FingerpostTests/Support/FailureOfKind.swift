import CallSupport

/// The error of a call that must fail with an error of this kind.
@discardableResult
func failure<Value>(
    _ kind: APIError.Kind, sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Value
) async throws -> APIError {
    let error = try await failure(sourceLocation: sourceLocation, call)
    #expect(error.kind == kind, "\(error)", sourceLocation: sourceLocation)
    return error
}

/// The error of work that must fail, by default with any kind of error.
@discardableResult
func failure<Value>(
    _ kind: APIError.Kind? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Value
) throws -> APIError {
    let error = try #require(throws: APIError.self, sourceLocation: sourceLocation) { _ = try work() }
    if let kind { #expect(error.kind == kind, "\(error)", sourceLocation: sourceLocation) }
    return error
}

/// The error of a call; nil if it succeeds.
func errorIfAny<Value>(of call: () async throws -> Value) async -> APIError? {
    do { _ = try await call() } catch {
        #expect(error is APIError)
        return error as? APIError
    }
    return nil
}
