public import Foundation

// The signatures of AsyncHTTPClient, and of SwiftNIO as far as they show them. It answers with what was asked.

public struct HTTPClientError: Error, Equatable {
    private let code: Int
    public static let remoteConnectionClosed = Self(code: 1)
}

public struct TimeAmount: Sendable {
    public static func hours(_ amount: Int64) -> Self { .init() }
}

public struct HTTPMethod: RawRepresentable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

public struct HTTPHeaders: Sendable, Sequence {
    fileprivate var values: [(name: String, value: String)] = []

    public mutating func add(name: String, value: String) { values.append((name, value)) }
    public func makeIterator() -> AnyIterator<(name: String, value: String)> { AnyIterator(values.makeIterator()) }
}

public struct ByteBuffer: Sendable {
    public var readableBytesView: [UInt8]
}

public struct HTTPClientRequest: Sendable {
    public struct Body: Sendable {
        fileprivate var bytes: [UInt8]

        public static func bytes(_ bytes: some RandomAccessCollection<UInt8> & Sendable) -> Self {
            .init(bytes: Array(bytes))
        }
    }
    public var url: String
    public var method = HTTPMethod(rawValue: "GET")
    public var headers = HTTPHeaders()
    public var body: Body?

    public init(url: String) { self.url = url }
}

public struct HTTPResponseStatus: Sendable {
    public var code: UInt
}

public struct HTTPClientResponse: Sendable {
    public var status: HTTPResponseStatus
    public var headers: HTTPHeaders
    public var body: AsyncStream<ByteBuffer>
}

public final class HTTPClient: Sendable {
    public enum EventLoopGroupProvider: Sendable {
        case singleton
    }
    public struct Configuration: Sendable {
        public struct RedirectConfiguration: Sendable {
            public static let disallow = Self()
        }

        public init(redirectConfiguration: RedirectConfiguration? = nil) {}
    }

    public init(eventLoopGroupProvider: EventLoopGroupProvider, configuration: Configuration = Configuration()) {}

    public func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        if request.url.hasSuffix("/lost") { throw HTTPClientError.remoteConnectionClosed }
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: "text/plain")
        let text = "\(request.method.rawValue) \(request.url) \(request.body?.bytes.count ?? 0)"
        let body = AsyncStream { continuation in
            for part in [text.prefix(4), text.dropFirst(4)] {
                continuation.yield(ByteBuffer(readableBytesView: Array(part.utf8)))
            }
            continuation.finish()
        }
        return HTTPClientResponse(status: .init(code: 200), headers: headers, body: body)
    }
}
