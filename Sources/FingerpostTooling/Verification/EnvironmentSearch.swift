import FingerpostFiles
import Foundation

/// Finds out which environment a part of a build selects, by the rules of the library.
struct EnvironmentSearch {
    /// The environment that somebody expects; nil if nobody said.
    let expected: String?
    private(set) var findings: [FileProblem] = []
    private(set) var notes: [String] = []

    init(expected: String?) {
        self.expected = expected
    }

    /// The environment that a part selects; nil if it has no environments, or selects none of them.
    mutating func selected(by part: BuildPart, in build: Build) -> SelectedEnvironment? {
        let url: URL
        let folder: EnvironmentFolder
        do throws(FileProblem) {
            let search = try part.search(EnvironmentFolder.name)
            guard let found = search.found ?? search.topLevel else { return nil }
            url = found
            folder = try EnvironmentFolder(url: found)
        } catch {
            findings.append(error.of(.unreadable))
            return nil
        }
        if folder.targets.isEmpty { return nil }
        let hasValidKey = !part.kind.isProcess || checkInfoPlist(part)
        let selection = Self.selection(of: part)
        do throws(FileProblem) {
            if let target = try selection.target(of: selection.request(nil), in: folder) {
                let rule = Self.rule(target, selection)
                let selected = SelectedEnvironment(target, of: part, in: folder, rule: rule)
                if let expected, target != expected { report(selected, isNot: expected) }
                return selected
            }
            guard let expected else {
                if hasValidKey { reportNothingSelected(part, folder) }
                return nil
            }
            let request = EnvironmentSelection.Request(target: expected, reason: "; --environment names it")
            guard let target = try EnvironmentSelection.none.target(of: request, in: folder) else { return nil }
            return SelectedEnvironment(
                target, of: part, in: folder,
                rule: "because --environment says so"
                    + (part.kind.isProcess
                        ? "; nothing in the build does, so \(Self.others(part)) has to name it"
                        : "; the app that contains it decides"))
        } catch {
            if hasValidKey { findings.append(build.files.shown(error, in: url).of(.selection)) }
            return nil
        }
    }

    private static func selection(of part: BuildPart) -> EnvironmentSelection {
        guard part.kind.isProcess else { return .none }
        return EnvironmentSelection(
            variables: part.variables, infoPlist: part.info.text(EnvironmentSelection.infoPlistKey),
            bundleName: part.info.text("CFBundleName"), executable: part.executable, isTestProcess: false)
    }

    private static func rule(_ target: String, _ selection: EnvironmentSelection) -> String {
        if selection.variable != nil {
            return "because \(EnvironmentSelection.variableName) in LSEnvironment of Info.plist names it"
        }
        if selection.infoPlist != nil {
            return "because \(EnvironmentSelection.infoPlistKey) in Info.plist names it"
        }
        return selection.products.contains(target)
            ? "because it has the name of the app or its executable" : "because it is the only environment there"
    }

    // MARK: Findings

    /// Reports a name in Info.plist that selects no environment.
    ///
    /// - Returns: false if there is one.
    private mutating func checkInfoPlist(_ part: BuildPart) -> Bool {
        let key = EnvironmentSelection.infoPlistKey
        guard let node = part.info[key] else { return true }
        let fault: String
        switch node.string {
        case nil: fault = "is \(node.value.kind), so it selects no environment"
        case "": fault = "is empty, so it selects no environment"
        case let text? where text.contains(bytesOf: "$(") || text.contains(bytesOf: "${"):
            fault = "is \(text.quoted): the build did not replace it"
        default: return true
        }
        findings.append(
            part.info.problem(
                key, "\"\(key)\" \(fault)",
                fix: "write the name of an environment, or give the build setting in it a value in this "
                    + "configuration"
            ).of(.selection))
        return false
    }

    private mutating func report(_ selected: SelectedEnvironment, isNot expected: String) {
        let info = selected.part.info
        let isKnown = selected.folder.targets.contains(expected)
        let message =
            "\"\(selected.name)\" is selected, \(selected.rule), but \"\(expected)\" is expected"
            + (isKnown ? "" : ", and there is no such environment" + selected.folder.hint(for: expected))
        let key = EnvironmentSelection.infoPlistKey
        let fix =
            isKnown
            ? "build the configuration whose \(key) is \(expected)"
            : "pass one of \(selected.folder.targets.joined(separator: ", ")) as --environment, "
                + "or add the file of \(expected)"
        findings.append(
            info.text(key) == nil
                ? FileProblem(.selection, selected.part.path, message, fix: fix)
                : info.problem(key, message, fix: fix).of(.selection))
    }

    private mutating func reportNothingSelected(_ part: BuildPart, _ folder: EnvironmentFolder) {
        let targets = folder.targets.joined(separator: ", ")
        guard part.kind.isProcess else {
            notes.append(
                "\(part.path) selects nothing itself: the app around it does. Pass --environment with one of "
                    + "\(targets) to check the servers.")
            return
        }
        let key = EnvironmentSelection.infoPlistKey
        let isApp = part.kind != .executable
        findings.append(
            FileProblem(
                .selection, part.path,
                "no environment is selected, so calls fail: " + (isApp ? "\"\(key)\" is not in Info.plist, and " : "")
                    + "none of \(targets) has the name of the app or its executable",
                fix: (isApp ? "set \(key) in Info.plist" : "rename one to \(part.executable)")
                    + "; if \(Self.others(part)) names one, pass it with --environment"))
    }

    /// What selects an environment that the build does not name. No user sets a variable for an app.
    private static func others(_ part: BuildPart) -> String {
        part.kind == .executable ? "\(EnvironmentSelection.variableName) or the code" : "the code"
    }
}

extension EnvironmentSelection {
    /// The selection where nothing names an environment.
    fileprivate static let none = EnvironmentSelection(
        variables: [:], infoPlist: nil, bundleName: nil, executable: "", isTestProcess: false)
}
