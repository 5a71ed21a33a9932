import Fingerpost
import Foundation
import HTTPTypes
import OpenAPIRuntime

struct MockableTransport: ClientTransport {
    let client: APIClient

    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var route = Route(
            method: .init(rawValue: request.method.rawValue),
            path: RoutePath(raw: request.path ?? ""))
        for field in request.headerFields
        where ![.contentType, .contentLength].contains(field.name) {
            route.headers.add(
                .init(rawValue: field.name.canonicalName), field.value)
        }
        if let body {
            route.body = .data(
                try await Data(collecting: body, upTo: 16 << 20),
                contentType: request.headerFields[.contentType]
                    ?? "application/octet-stream")
        }
        let response = try await client.response(
            for: route.named(operationID)
                .mock(MockName(rawValue: operationID))
                .acceptedStatuses(.all),
            as: Data.self)
        var answer = HTTPResponse(status: .init(code: response.status))
        for field in response.headers {
            guard let name = HTTPField.Name(field.name.rawValue) else {
                continue
            }
            answer.headerFields.append(
                HTTPField(name: name, value: field.value))
        }
        return (answer, HTTPBody(response.value))
    }
}
