// .ci/darwin compiles this text after imports. A comment names the product that a line needs.
import Dispatch
import Foundation

func call(_ client: APIClient, _ route: Route) {
    client.request(route, as: Int.self) { _ in }  // FingerpostCallbacks
    client.request(route, as: Int.self, on: .main) { _ in }  // FingerpostCallbacks
    _ = try? client.blocking.data(for: route)  // FingerpostCallbacks
}

func switching() async throws {
    try APIEnvironment.choose("Staging")  // FingerpostSwitching
    for await name in APIEnvironment.changes { _ = name }  // FingerpostSwitching
}

func call(_ client: APIClient, _ route: Route) async throws {
    try await client.download(route, to: URL(fileURLWithPath: "a"))  // FingerpostTransfers
    try await client.download(route, to: URL(fileURLWithPath: "a"), resuming: true)  // FingerpostTransfers
    _ = try await client.data(for: route.body(.file(URL(fileURLWithPath: "a"))))  // FingerpostTransfers
    for try await piece in try await client.stream(route) { _ = piece }  // FingerpostStreams
    for try await event in try await client.stream(route).events { _ = event.data }  // FingerpostStreams
    for try await line in try await client.stream(route).lines { _ = line }  // FingerpostStreams
    for try await event in client.events(route) { _ = event.data }  // FingerpostStreams
    for try await value in client.events(route).json(as: Int.self) { _ = value }  // FingerpostStreams
    for try await page in client.pages(route, as: [Int].self) { _ = page.value }  // FingerpostStreams
}
