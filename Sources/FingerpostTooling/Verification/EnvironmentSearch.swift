import FingerpostFiles
import Foundation

/// Finds all environments in a build. Also finds the environment that each part of the build selects by the library's
/// rules.
struct EnvironmentSearch {
    private let build: Build
    /// The expected environment. Nil if the options name none.
    private let expected: String?
    /// The environments folders. The folders that processes read come first, in the order of the parts.
    private(set) var folders: [EnvironmentFolder] = []
    /// The selected environments. Those of folders that no process reads by default are included too, because code can
    /// read such folders.
    private(set) var selected: [SelectedEnvironment] = []
    private(set) var findings: [FileProblem] = []
    private(set) var notes: [String] = []
    private var seen: Set<String> = []

    init(_ build: Build, expected: String?, _ mocks: MockContents) {
        (self.build, self.expected) = (build, expected)
        var without: [BuildPart] = []
        for (index, part) in build.parts.enumerated() where part.kind.isProcess || index == 0 {
            if !hasEnvironments(part) { without.append(part) }
        }
        for file in build.files.files where file.name.contains(bytesOf: EnvironmentFile.suffix + ".") {
            let url = build.files.url(of: file.path)
            if EnvironmentFile(url: url)?.isCommitted == true, !mocks.contains(file) {
                addUnread(url.deletingLastPathComponent())
            }
        }
        // A part inside another part, such as an extension, is not reported, because it may call no server at all.
        for part in without where folders.contains(where: { !$0.targets.isEmpty }) {
            if build.parts.contains(where: { $0.contains(part.url) }) { continue }
            let problem = FileProblem(
                .selection, part.path, "there are no environments in it, but in a part inside it",
                fix: "add the plugin to the target; if it calls no server, verify the part inside by itself")
            findings.append(problem.with(expected == nil ? .warning : .error))
        }
    }

    // MARK: Folders

    /// Adds the environments folder that a part reads.
    ///
    /// - Returns: false if there is no folder.
    private mutating func hasEnvironments(_ part: BuildPart) -> Bool {
        do throws(FileProblem) {
            let search = try part.search(EnvironmentFolder.name)
            guard let url = search.found ?? search.topLevel else { return false }
            let folder = try EnvironmentFolder(url: url)
            if folder.targets.isEmpty { return false }
            if isNew(url) { folders.append(folder) }
            select(part, part, folder)
        } catch {
            findings.append(error.of(.unreadable))
        }
        return true
    }

    /// Adds a folder in a framework or a resource bundle. A process reads such a folder only if its code names the
    /// folder.
    private mutating func addUnread(_ url: URL) {
        guard isNew(url) else { return }
        do throws(FileProblem) {
            let folder = try EnvironmentFolder(url: url)
            folders.append(folder)
            // A bundle beside a program may belong to another program.
            let around = build.parts.filter { $0.contains(url) }
            guard !folder.targets.isEmpty, let process = around.last(where: \.kind.isProcess) ?? around.first else {
                return
            }
            let isTop = !url.lastPathComponent.isSame(as: EnvironmentFolder.name)
            let bundle = isTop ? url : url.deletingLastPathComponent()
            let holder = BuildPart(
                kind: .resources, url: bundle, path: build.files.relativePath(of: bundle).map(build.files.path) ?? "",
                info: process.info, executable: process.executable, loaded: [])
            select(holder, process, folder)
        } catch {
            findings.append(build.files.shown(error, in: url).of(.unreadable))
        }
    }

    /// Returns true for a folder that has not been added. Links are resolved, because a framework for macOS contains
    /// the link `Resources` to another folder in the framework.
    private mutating func isNew(_ url: URL) -> Bool {
        seen.insert(url.resolvingSymlinksInPath().standardizedFileURL.path).inserted
    }

    // MARK: Selection

    /// - Parameter process: the part that selects the environment: `part` itself, or a part around `part`.
    private mutating func select(_ part: BuildPart, _ process: BuildPart, _ folder: EnvironmentFolder) {
        let hasValidKey = !part.kind.isProcess || checkInfoPlist(part)
        let selection = Self.selection(of: process)
        do throws(FileProblem) {
            let ruled = try selection.target(of: selection.request(nil), in: folder)
            var target = ruled
            if target == nil, let expected {
                target = try selection.target(of: (expected, "; --environment names it"), in: folder)
            }
            guard let target else {
                if hasValidKey { reportNothingSelected(part, folder) }
                return
            }
            let rule = ruled == nil ? Self.ruleOfOption(part) : Self.rule(target, process, selection)
            let environment = SelectedEnvironment(target, of: part, in: folder, rule: rule)
            if let expected, target != expected { report(environment, isNot: expected) }
            selected.append(environment)
        } catch {
            if !hasValidKey { return }
            guard part.kind.isProcess || expected != nil else { return reportNothingSelected(part, folder) }
            findings.append(build.files.shown(error, in: folder.url).of(.selection))
        }
    }

    /// Returns the environment that Info.plist names, or nil.
    private static func named(by part: BuildPart) -> String? {
        part.kind.isProcess ? part.info.text(key).flatMap { $0.isEmpty ? nil : $0 } : nil
    }

    private static func selection(of part: BuildPart) -> EnvironmentSelection {
        let isProcess = part.kind.isProcess
        return EnvironmentSelection(
            variables: [:], infoPlist: named(by: part),
            bundleName: isProcess ? part.info.text("CFBundleName") : nil,
            executable: isProcess ? part.executable : "", isTestProcess: false)
    }

    private static func rule(_ target: String, _ process: BuildPart, _ selection: EnvironmentSelection) -> String {
        if named(by: process) != nil { return "because \(key) in Info.plist names it" }
        return selection.products.contains(target)
            ? "because it has the name of the app or its executable" : "because it is the only environment there"
    }

    private static func ruleOfOption(_ part: BuildPart) -> String {
        "because --environment says so; "
            + (part.kind.isProcess
                ? "nothing in the build does, so \(others(part)) has to name it" : "the app that contains it decides")
    }

    // MARK: Findings

    /// Reports a value in Info.plist if the value does not select an environment.
    ///
    /// - Returns: false if there is such a value.
    private mutating func checkInfoPlist(_ part: BuildPart) -> Bool {
        guard let node = part.info[Self.key] else { return true }
        let fault: String
        switch node.string {
        case nil, "": fault = "is \(node.string.map { _ in "empty" } ?? node.value.kind), so it selects no environment"
        case let text? where text.contains(bytesOf: "$(") || text.contains(bytesOf: "${"):
            fault = "is \(text.quoted): the build did not replace it"
        default: return true
        }
        report(
            part, "\"\(Self.key)\" \(fault)",
            fix: "write the name of an environment, or give the build setting in it a value in this configuration")
        return false
    }

    private mutating func report(_ selected: SelectedEnvironment, isNot expected: String) {
        let folder = selected.folder
        report(
            selected.part,
            "\"\(selected.name)\" is selected, \(selected.rule), but \"\(expected)\" is expected"
                + (folder.targets.contains(expected)
                    ? "" : ", and there is no such environment" + folder.hint(for: expected)),
            fix: "build the configuration whose \(Self.key) is \(expected), or pass another name as --environment")
    }

    private mutating func reportNothingSelected(_ part: BuildPart, _ folder: EnvironmentFolder) {
        let targets = folder.targets.joined(separator: ", ")
        guard part.kind.isProcess else {
            notes.append(
                "\(part.path) selects nothing itself: the app around it does. Pass --environment with one of "
                    + "\(targets) to check the servers.")
            return
        }
        let isApp = part.kind != .executable
        report(
            part,
            "no environment is selected, so calls fail: "
                + (isApp ? "\"\(Self.key)\" is not in Info.plist, and " : "")
                + "none of \(targets) has the name of the app or its executable",
            fix: (isApp ? "set \(Self.key) in Info.plist" : "rename one to \(part.executable)")
                + "; if \(Self.others(part)) names one, pass it with --environment")
    }

    /// Reports a problem. If the key exists in Info.plist, the problem contains the key's line.
    private mutating func report(_ part: BuildPart, _ message: String, fix: String) {
        findings.append(
            part.kind.isProcess && part.info[Self.key] != nil
                ? part.info.problem(Self.key, message, fix: fix).of(.selection)
                : FileProblem(.selection, part.path, message, fix: fix))
    }

    private static let key = EnvironmentSelection.infoPlistKey

    /// If the build does not select an environment, returns the text that says what else can select one. For an app,
    /// the text does not mention environment variables, because users cannot set them.
    private static func others(_ part: BuildPart) -> String {
        part.kind == .executable ? "\(EnvironmentSelection.variableName) or the code" : "the code"
    }
}
