import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What carries the request of a call to what answers it.
enum Carrier: Sendable {
    case mocks(MockTransport)
    case network(any Transport)

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        switch self {
        case .mocks(let transport): try await transport.send(request, for: route)
        case .network(let transport): try await transport.send(request, for: route)
        }
    }
}
