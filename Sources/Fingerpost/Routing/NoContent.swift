/// The response type of an ``Endpoint`` that decodes nothing: any body is accepted, including an empty body.
public struct NoContent: Decodable, Sendable, Hashable {
    /// Creates the empty value.
    public init() {}
    /// Accepts any content and reads nothing.
    public init(from decoder: any Decoder) {}
}
