import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Benchmark {
    /// Builds a request with a JSON body from an enum case with two fields. By hand: `URL(string:)`, all headers at
    /// once, and one encoder for all requests.
    static func postRequest() -> Benchmark {
        let baseURL = URL(string: "https://api.example.com/v1")!
        let encoder = JSONEncoder()
        let byHand = NewRepositoryByHand.create(name: "fingerpost", isPrivate: true)
        let ours = NewRepository.create(name: "fingerpost", isPrivate: true)
        return .sync("post-request", target: 1.10) {
            try byHand.urlRequest(relativeTo: "https://api.example.com/v1", encoder)
        } ours: {
            try ours.urlRequest(relativeTo: baseURL)
        }
    }
}

extension Benchmark {
    /// Builds a request with a JSON body of 10,000 parameters, compared with only encoding a dictionary of them.
    static func manyParameters() -> Benchmark {
        let names = (0..<10_000).map { "name\($0)" }
        let dictionary = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var parameters = Parameters()
        for (number, name) in names.enumerated() { parameters.append(name, number) }
        let baseURL = URL(string: "https://api.example.com/v1")!
        let encoder = JSONEncoder()
        return .sync("10k-json-parameters", target: 0.40) {
            try encoder.encode(dictionary)
        } ours: { [parameters] in
            try Route.post("x").parameters(parameters).urlRequest(relativeTo: baseURL)
        }
    }
}

private enum NewRepository: Routable {
    case create(name: String, isPrivate: Bool)

    var method: HTTPMethod { .post }
    var path: RoutePath { "user/repos" }
    var parameters: Parameters? {
        switch self {
        case .create(let name, let isPrivate): ["name": name, "private": isPrivate]
        }
    }
    var headers: HTTPHeaders { [.accept: "application/json"] }
}

private enum NewRepositoryByHand {
    case create(name: String, isPrivate: Bool)

    private struct Body: Encodable {
        var name: String
        var `private`: Bool
    }

    func urlRequest(relativeTo baseURL: String, _ encoder: JSONEncoder) throws -> URLRequest {
        switch self {
        case .create(let name, let isPrivate):
            var request = URLRequest(url: URL(string: "\(baseURL)/user/repos")!)
            request.httpMethod = "POST"
            request.allHTTPHeaderFields = ["Accept": "application/json", "Content-Type": "application/json"]
            request.httpBody = try encoder.encode(Body(name: name, private: isPrivate))
            return request
        }
    }
}
