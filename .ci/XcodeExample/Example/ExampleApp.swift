import Fingerpost
import SwiftUI

/// SwiftUI's property wrapper. The environments of Fingerpost are called `APIEnvironment` in this app.
typealias Environment = SwiftUI.Environment

@main
struct ExampleApp: App {
    var body: some Scene {
        WindowGroup { ProfileView(client: .shared) }
    }
}
