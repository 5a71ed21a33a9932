import AsyncHTTPClient
import Fingerpost
import Foundation

struct AsyncHTTPTransport: Transport {
    struct StreamsAreNotSent: Error {}

    let http: HTTPClient

    func send(
        _ request: URLRequest, for route: Route, into sink: any BodySink
    ) async throws {
        guard request.httpBodyStream == nil else {
            throw StreamsAreNotSent()
        }
        var outgoing = HTTPClientRequest(
            url: request.url?.absoluteString ?? "")
        outgoing.method = .init(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            outgoing.headers.add(name: name, value: value)
        }
        outgoing.body = request.httpBody.map { .bytes($0) }
        do {
            // The client's timeout cancels the task before.
            let response = try await http.execute(
                outgoing, timeout: .hours(1))
            var headers = Fingerpost.HTTPHeaders()
            for (name, value) in response.headers {
                headers.add(.init(rawValue: name), value)
            }
            try sink.begin(
                Response(
                    status: Int(response.status.code), headers: headers,
                    request: request))
            for try await buffer in response.body {
                try sink.receive(Data(buffer.readableBytesView))
            }
        } catch let error as HTTPClientError
            where error == .remoteConnectionClosed
        {
            throw URLError(.networkConnectionLost)  // may be retried
        }
    }
}

func makeFastClient() throws -> APIClient {
    let http = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: .init(redirectConfiguration: .disallow))
    return try APIClient {
        $0.transport = AsyncHTTPTransport(http: http)
    }
}
