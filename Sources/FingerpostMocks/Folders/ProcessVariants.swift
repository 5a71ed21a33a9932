import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The variants that the environment variable `MOCKS_VARIANTS` chooses for calls without a scope:
/// `login:locked,user:gone`. UI tests set this variable, because they run in a different process from the app.
struct ProcessVariants {
    private(set) var variants: [MockName: String] = [:]
    /// The elements of the variable's value that do not have the format `mock:variant`.
    private(set) var malformed: [String] = []

    /// - Parameter text: the value of the environment variable.
    init(_ text: String) {
        for part in text.words(between: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            let pair = part.parts(between: ":").map(String.init)
            if pair.count == 2, !pair[0].isEmpty, !pair[1].isEmpty {
                variants[MockName(rawValue: pair[0])] = pair[1]
            } else {
                malformed.append(part)
            }
        }
    }

    /// Returns a warning for each chosen variant whose mock is not in the folder.
    func warnings(for folder: MockIndex) -> [String] {
        variants.keys.map(\.rawValue).ordered(by: <).filter { !folder.stub(named: $0).exists }.map { mock in
            "MOCKS_VARIANTS: there is no mock \(mock.quoted) in \(folder.path)"
                + NearestName.hint(mock, in: folder.mockNames)
        }
    }

    /// The scenario that the environment variable `MOCKS_SCENARIO` chooses for calls without a scope. Nil in a release
    /// build.
    static let scenario = DebugBuildVariables.value("MOCKS_SCENARIO").map { MockScenario(rawValue: $0) }

    /// The variants of this process. Empty in a release build.
    static let current: ProcessVariants = {
        let chosen = ProcessVariants(DebugBuildVariables.value("MOCKS_VARIANTS") ?? "")
        for part in chosen.malformed {
            StandardError.warn(
                "MOCKS_VARIANTS: \"\(part)\" names no mock and variant. Fix: write mock:variant, separated by commas")
        }
        return chosen
    }()
}
