// Apple's unified log, as far as it is used.

public struct OSLogType: Sendable {
    public static let `default` = OSLogType()
    public static let error = OSLogType()
}

public struct OSLogPrivacy {
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy) {}
    }

    public init(stringLiteral: String) {}
    public init(stringInterpolation: StringInterpolation) {}
}

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func log(level: OSLogType, _ message: OSLogMessage) {}
}
