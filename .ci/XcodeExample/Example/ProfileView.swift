import Fingerpost
import FingerpostMocks
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
            name = error.kind == .status(404) ? "Nobody has this name" : error.message
        }
    }

    private func reload() {
        Task { await load() }
    }
}

#Preview {
    ProfileView(client: .mocked())
}

#Preview("Not found") {
    ProfileView(client: .mocked(variants: ["user": "404"]))
}
