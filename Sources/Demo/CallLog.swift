import Fingerpost
import Foundation

/// Prints the request, the status and the source of each response.
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
        case .mock(let file):
            "\(file.map { "the mock \($0.inFolder)" } ?? "a mock") (the same answer for all arguments)"
        case .network, .revalidated: "the network"
        }
    }
}
