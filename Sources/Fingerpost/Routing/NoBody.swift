/// The body type of an ``Endpoint`` that sends no body.
public struct NoBody: Encodable, Sendable, Hashable {
    /// Creates the empty value.
    public init() {}
}
