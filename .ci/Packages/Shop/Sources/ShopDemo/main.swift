import Fingerpost
import FingerpostMocks
import Model

/// How many problems a scope reports whose sequence no call used.
func unused() -> Int {
    APIScope().run {
        Mocks.set("user", .sequence([.status(503), .file]))
        return Mocks.takeProblems().count
    }
}

print(CommandLine.arguments.count > 1 ? "\(unused())" : await Model.login())
