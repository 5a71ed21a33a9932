import Fingerpost
import Foundation

// Each line of the input is the name of a route. The output is what a person would see.
while let name = readLine() {
    do {
        _ = try await APIClient.shared.data(for: Route.get("\(name)").mock(MockName(rawValue: name)))
        print("ok")
    } catch {
        print(error.kind)
    }
    fflush(nil)
}
