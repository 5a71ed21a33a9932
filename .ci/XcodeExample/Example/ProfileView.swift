import Fingerpost
import SwiftUI

struct ProfileView: View {
    let client: APIClient
    @Environment(\.dismiss) private var dismiss
    @State private var name = "Loading"

    var body: some View {
        VStack {
            Text(name)
            Button("Reload") { reload() }
            Button("Close") { dismiss() }
        }
        .task { await load() }
    }

    private func load() async {
        do {
            name = try await client.send(GitHub.user(login: "octocat"), as: User.self).name
        } catch {
            name = error.message
        }
    }

    private func reload() {
        client.request(GitHub.user(login: "octocat"), as: User.self) { result in
            if case .success(let user) = result { name = user.name }
        }
    }
}

extension APIClient {
    static func preview(_ variants: [MockName: String] = [:]) -> APIClient {
        APIClient.shared.with(
            scope: APIScope(environment: try? APIEnvironment.load("Testing"), network: .sealed, variants: variants))
    }
}

#Preview {
    ProfileView(client: .preview())
}

#Preview("Not found") {
    ProfileView(client: .preview(["user": "404"]))
}
