import Fingerpost
import FingerpostTesting
import Foundation
import HTTPTypes
import OpenAPIRuntime
import Testing

@testable import PetClient

/// What a generated client does with a transport.
private func getUser(_ transport: some ClientTransport) async throws -> (status: Int, body: String) {
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/users/octocat?full=true")
    let (response, body) = try await transport.send(
        request, body: nil, baseURL: URL(fileURLWithPath: "/"), operationID: "getUser")
    let bytes = if let body { try await Data(collecting: body, upTo: 1 << 20) } else { Data() }
    return (response.status.code, String(decoding: bytes, as: UTF8.self))
}

@Test(.mocks) func anOperationIsAnsweredByItsMock() async throws {
    let transport = MockableTransport(client: try APIClient())
    #expect(try await getUser(transport).body.contains("octocat"))
    Mocks.set("getUser", .status(404))
    let missing = try await getUser(transport)
    #expect(missing.status == 404 && missing.body.contains("nobody"))
    #expect(Mocks.calls.first?.request.url?.absoluteString.hasSuffix("/users/octocat?full=true") == true)
}

@Test(.mocks) func aBodyIsSent() async throws {
    Mocks.set("addUser", .status(201))
    var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/users")
    request.headerFields[.contentType] = "application/json"
    request.headerFields[.contentLength] = "2"
    let transport = MockableTransport(client: try APIClient())
    let (response, _) = try await transport.send(
        request, body: HTTPBody(Data("{}".utf8)), baseURL: URL(fileURLWithPath: "/"), operationID: "addUser")
    #expect(response.status.code == 201 && Mocks.calls.first?.request.httpBody == Data("{}".utf8))
}
