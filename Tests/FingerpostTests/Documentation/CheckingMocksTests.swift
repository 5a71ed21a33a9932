import FingerpostTesting
import Testing

@Suite(.recording) struct SessionRecording {
    let session = Session(client: APIClient.shared)

    @Test(.recording(writes: true)) func login() async throws {
        _ = try await session.logIn("octocat", password: "cat")
    }

    @Test(.recording(writes: true, status: 401)) func wrongPassword() async {
        _ = try? await session.logIn("octocat", password: "dog")
    }
}
