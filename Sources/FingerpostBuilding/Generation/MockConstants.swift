import FingerpostChecks
import FingerpostFiles
import FingerpostMockFiles

/// Generates Swift constants for the mocks in a folder: `MockName.usersShow` for `users/show.json`.
struct MockConstants {
    private(set) var text = SwiftText()
    /// The constants of scenarios. The type of scenarios belongs to FingerpostMocks, which an app with FingerpostCore
    /// does not link.
    private(set) var scenarios: SwiftText?
    /// The problems with mocks for which no constant can be generated.
    private(set) var problems: [FileProblem] = []

    /// - Parameter access: the access level of the constants.
    init(_ folder: MockIndex, _ access: EnvironmentRules.Access) {
        text.line("/// The files of the folder \(MockIndex.name).")
        var taken: [String: (file: String, name: String)] = [:]
        text.open("nonisolated extension Fingerpost.MockName")
        for (name, file) in folder.mocks {
            let reason: String
            var isTold = false
            if let identifier = SwiftIdentifier.make(name), Self.members.contains(identifier) {
                reason = ".\(identifier) already has another meaning where a mock is named"
            } else if let identifier = SwiftIdentifier.make(name), !SwiftIdentifier.unusable.contains(identifier) {
                guard let other = taken[identifier] else {
                    taken[identifier] = (file, name)
                    text.line("/// `\(SwiftText.comment(file))`")
                    text.line(
                        "\(access.modifier)static var \(SwiftIdentifier.escaped(identifier)): Self "
                            + "{ \(SwiftText.literal(name)) }")
                    continue
                }
                reason = "\(identifier) is taken by \(other.file)"
                // `MockFolderCheck` already reports two files with the same mock name.
                isTold = other.name == name
            } else {
                reason = "its name cannot be a Swift identifier"
            }
            text.line("// \(SwiftText.comment(file)) is left out: \(SwiftText.comment(reason)).")
            if isTold { continue }
            problems.append(
                .warning(
                    path: FilePath.display(folder.url.appendingPathComponent(file)),
                    message: "the mock has no constant in Swift: \(reason)",
                    fix: "rename it, or write its name as text: \(SwiftText.literal(name))"))
        }
        text.close()
        scenarios = constants(ofScenariosIn: folder, access)
    }

    /// Returns a constant for each scenario, or nil if there are no scenarios.
    private mutating func constants(
        ofScenariosIn folder: MockIndex, _ access: EnvironmentRules.Access
    ) -> SwiftText? {
        // `MockFolderCheck` reports why the scenarios cannot be read.
        guard let names = try? folder.scenarioNames(), !names.isEmpty else { return nil }
        var text = SwiftText()
        // Constants of mocks do not need this import.
        text.line("\(access.modifier)import FingerpostMocks")
        text.line("")
        let path = FilePath.display(folder.url.appendingPathComponent(MockFileName.scenarios))
        text.line("/// The scenarios in \(MockFileName.scenarios).")
        text.open("nonisolated extension FingerpostMocks.MockScenario")
        var taken: [String: String] = [:]
        for name in names {
            let reason: String
            if let identifier = SwiftIdentifier.make(name), !SwiftIdentifier.unusable.contains(identifier),
                !Self.scenarioMembers.contains(identifier)
            {
                guard let other = taken[identifier] else {
                    taken[identifier] = name
                    text.line("/// `\(SwiftText.comment(name))`")
                    text.line(
                        "\(access.modifier)static var \(SwiftIdentifier.escaped(identifier)): Self "
                            + "{ \(SwiftText.literal(name)) }")
                    continue
                }
                reason = "\(identifier) is taken by \(SwiftText.literal(other))"
            } else {
                reason = "its name cannot be a Swift identifier"
            }
            problems.append(
                .warning(
                    path: path,
                    message: "the scenario \(SwiftText.literal(name)) has no constant in Swift: \(reason)",
                    fix: "rename it, or write its name as text"))
        }
        text.close()
        return text
    }

    /// Names that constants of scenarios cannot have. A scenario can be optional, so `.none` and `.some` already are
    /// the cases of the optional type. The property `all` already lists the scenarios.
    private static let scenarioMembers: Set = ["none", "some", "all"]

    /// Names that constants of mocks cannot have. A route's mock is optional, so `.none` would mean nil and not the
    /// mock `none`. A constant `unmocked` would hide the library's constant for routes without a mock.
    private static let members: Set = ["none", "some", "unmocked"]
}

extension MockIndex {
    /// The mocks with a default response. Each entry contains the path of the mock's body file, or of its settings file
    /// if there is no body file. A file such as `page.html` beside the settings `page.mock.json` is the body of these
    /// settings, and not another mock.
    fileprivate var mocks: [(name: String, file: String)] {
        let usual = fileNames.compactMap { file in
            let owner = owner(of: file)
            return owner.variant == nil ? (name: owner.mock, file: file) : nil
        }
        let bodies = Set(usual.filter { !MockFileName.isSettings($0.file) }.map { ByteName($0.name) })
        let settings = Set(usual.filter { MockFileName.isSettings($0.file) }.map { ByteName($0.name) }).subtracting(
            bodies)
        return usual.filter { name, file in
            if MockFileName.isSettings(file) { return !bodies.contains(ByteName(name)) }
            return name.beforeLastDot.map { !settings.contains(ByteName($0)) } ?? true
        }
    }
}
