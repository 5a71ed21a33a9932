import Fingerpost
import Foundation
import SwiftUI
import WidgetKit

@main
struct ProfileWidget: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "Profile", provider: ProfileProvider()) { entry in
            ProfileWidgetView(name: entry.name)
        }
        .configurationDisplayName("Profile")
        .supportedFamilies([.systemSmall])
    }
}

struct ProfileWidgetView: View {
    let name: String

    var body: some View {
        if #available(iOS 17, macOS 14, *) {
            Text(name).containerBackground(for: .widget) {}
        } else {
            Text(name).padding()
        }
    }
}

nonisolated struct ProfileEntry: TimelineEntry {
    let date: Date
    let name: String
}

// WidgetKit calls its provider on any thread.
nonisolated struct ProfileProvider: TimelineProvider {
    func placeholder(in context: Context) -> ProfileEntry {
        ProfileEntry(date: Date(), name: "Loading")
    }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (ProfileEntry) -> Void) {
        Task { completion(await entry()) }
    }

    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<ProfileEntry>) -> Void) {
        Task {
            let entry = await entry()
            completion(Timeline(entries: [entry], policy: .after(entry.date.addingTimeInterval(3600))))
        }
    }

    private func entry() async -> ProfileEntry {
        do {
            let user = try await APIClient.shared.send(GitHub.user(login: "octocat"), as: User.self)
            return ProfileEntry(date: Date(), name: user.name)
        } catch {
            return ProfileEntry(date: Date(), name: error.message)
        }
    }
}
