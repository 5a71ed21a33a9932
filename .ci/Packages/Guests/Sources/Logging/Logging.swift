// The signatures of swift-log.

public struct Logger: Sendable {
    public struct Message: ExpressibleByStringInterpolation, Sendable {
        public init(stringLiteral value: String) {}
    }

    public init(label: String) {}

    public func info(_ message: @autoclosure () -> Message) {}
}
