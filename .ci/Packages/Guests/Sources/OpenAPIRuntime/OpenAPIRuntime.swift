public import Foundation
public import HTTPTypes

// The signatures of swift-openapi-runtime.

public final class HTTPBody: Sendable {
    fileprivate let bytes: Data

    public init(_ bytes: Data) { self.bytes = bytes }
}

extension Data {
    public init(collecting body: HTTPBody, upTo maximum: Int) async throws { self = body.bytes }
}

public protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}
