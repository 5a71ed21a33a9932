/// The error of a call that must fail.
package func failure<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Value
) async throws -> APIError {
    try await #require(throws: APIError.self, sourceLocation: sourceLocation) { _ = try await call() }
}
