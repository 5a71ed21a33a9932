import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Prints a heading for each call: what was asked, and who answered.
struct CallLog: Middleware {
    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        let response = try await next(request)
        print("\n\(route.method) \(request.url?.absoluteString ?? "")")
        print("\(response.status) from \(response.source.place)\n")
        return response
    }
}

extension ResponseSource {
    fileprivate var place: String {
        switch self {
        case .mock(let file): "\(file?.inFolder ?? "a mock"), which answers whatever is asked"
        case .network: "the network"
        }
    }
}
