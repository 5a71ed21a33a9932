import FingerpostTesting
import Model
import Testing

@Test(.mocks) func login() async {
    #expect(await Model.login() == "octocat")
}
