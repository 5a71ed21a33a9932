package import FingerpostDocuments
package import FingerpostFiles
package import FingerpostMockFiles
import FingerpostShared
package import Foundation

/// Checks a mocks folder without running the app, and finds problems with names, links, settings and JSON.
package struct MockFolderCheck {
    private let folder: MockIndex
    private var problems: [FileProblem] = []

    /// All problems in the folder, without duplicates, in the order of the files.
    ///
    /// - Parameters:
    ///   - now: the time used to decide whether recordings have expired.
    ///   - knowsRoutes: true if the caller decodes the bodies for their routes. In that case, this check does not
    ///     report empty bodies.
    package static func problems(
        of folder: MockIndex, at now: Date = Date(), knowsRoutes: Bool = false
    ) -> [FileProblem] {
        var check = MockFolderCheck(folder: folder)
        let entries = folder.sortedEntries
        for entry in entries { check.checkEntry(entry) }
        check.checkSpellings(entries)
        for file in folder.fileNames { check.checkOwner(of: file) }
        check.checkScenarios()
        return (check.problems + MockAnswerCheck.problems(of: folder, at: now, knowsRoutes)).inOrder
    }

    private mutating func report(
        _ path: String, _ message: String, fix: String, as severity: FileProblem.Severity = .error
    ) {
        problems.append(FileProblem(path: folder.path(of: path), message: message, fix: fix).with(severity))
    }

    // MARK: Entries

    private mutating func checkEntry(_ entry: MockIndex.Entry) {
        switch entry.kind {
        case .file: break
        case .folder:
            if entry.path.ends(with: MockFileName.bodySuffix) {
                report(
                    entry.path, "this folder is named like a mock", fix: "rename it without .json", as: .warning)
            }
        case .closedFolder:
            report(entry.path, "the folder cannot be read", fix: "make it readable")
        case .misnamed:
            report(entry.path, "no route can name this mock: its name is not UTF-8", fix: "rename it")
        case .other:
            report(entry.path, "this is not a regular file", fix: "replace it with the file")
        case .link:
            do throws(FileProblem) { _ = try folder.location(ofFile: entry.path) } catch { problems.append(error) }
        }
    }

    /// Reports different names that some file systems treat as the same name.
    private mutating func checkSpellings(_ entries: [MockIndex.Entry]) {
        var folded: [String: String] = [:]
        for entry in entries where entry.kind != .misnamed {
            guard let other = folded.updateValue(entry.path, forKey: entry.path.lowercased()) else { continue }
            // If the names of the two files' folders also differ, the folders are reported instead of the files.
            if !MockFileName.folder(of: entry.path).isSame(as: MockFileName.folder(of: other)) { continue }
            let difference =
                entry.path == other
                ? "have the same characters in different bytes, which some file systems ignore"
                : "differ only in letter case, which some file systems ignore"
            report(entry.path, "its name and \"\(other)\" \(difference)", fix: "rename one of them")
        }
    }

    private mutating func checkScenarios() {
        do throws(InvalidFile) { _ = try folder.scenarioNames() } catch { problems += error.problems }
    }

    // MARK: Names

    private mutating func checkOwner(of file: String) {
        let owner = folder.owner(of: file)
        if let objection = MockFileName.objection(to: owner.mock) {
            return report(file, "no route can name this mock: \(objection)", fix: "rename it")
        }
        if owner.variant == nil, !file.ends(with: MockFileName.bodySuffix),
            folder.hasFile(file + MockFileName.bodySuffix)
        {
            let name = file + MockFileName.bodySuffix
            return report(
                file, "no route can name this mock: \"\(file)\" names \(name)", fix: "rename one of them", as: .warning)
        }
        let stub = folder.stub(named: owner.mock)
        guard stub.has(file, as: owner.variant) else {
            return report(
                file, "no route can name this mock: .json is allowed only at the end of a name", fix: "rename it")
        }
        guard let variant = owner.variant else { return }
        let message = "this is the variant \"\(variant)\" of \"\(owner.mock)\", which"
        guard let usual = (stub.usual.bodies.first ?? stub.usual.settings)?.path else {
            return report(
                file, "\(message) has no default answer",
                fix: "add \(MockFileName.newFile(of: owner.mock, type: owner.type)), or rename it", as: .warning)
        }
        let other = folder.owner(of: usual)
        if let otherVariant = other.variant {
            report(
                file, "\(message) is itself the variant \"\(otherVariant)\" of \"\(other.mock)\"",
                fix: "replace one of the dots with -")
        }
    }
}

/// Finds invalid settings and bodies, which prevent mocks from answering.
private struct MockAnswerCheck {
    private let folder: MockIndex
    private let now: Date
    private let knowsRoutes: Bool
    private var problems: [FileProblem] = []
    /// The parsed JSON bodies by file.
    private var bodies: [ByteName: Node] = [:]
    /// The body files that settings name.
    private var named: Set<ByteName> = []
    /// Body files that no call receives, because the mock's settings name another body.
    private var replaced: [(file: String, settings: String, body: String)] = []
    /// The body files of recorded mocks by the mock's name.
    private var recorded: [ByteName: String] = [:]

    /// All problems in settings and bodies. Problems in a mock's default settings are repeated for each variant of the
    /// mock.
    static func problems(of folder: MockIndex, at now: Date, _ knowsRoutes: Bool) -> [FileProblem] {
        var check = MockAnswerCheck(folder: folder, now: now, knowsRoutes: knowsRoutes)
        for file in folder.fileNames where !MockFileName.isSettings(file) {
            switch MediaType(fileName: file)?.rawValue {
            case "text/event-stream": check.checkStream(file, EventFileCheck.problems)
            case "application/x-ndjson": check.checkStream(file, AnswerRules.problems(inLines:path:))
            default: if file.ends(with: MockFileName.bodySuffix) { check.checkJSON(file) }
            }
        }
        for name in folder.mockNames where MockFileName.objection(to: name) == nil { check.checkMock(name) }
        for file in folder.fileNames where !knowsRoutes && !check.named.contains(ByteName(file)) {
            check.checkTool(file)
        }
        check.checkUnused()
        return check.problems
    }

    // MARK: Bodies

    /// The maximum size of a body that is checked, in bytes. Checking larger bodies would slow down every build.
    private static let largestBody = 5_000_000

    private mutating func checkJSON(_ file: String) {
        let path = folder.path(of: file)
        do throws(FileProblem) {
            // Links are skipped, because `checkEntry` has already checked all links.
            guard folder[file]?.kind == .file else { return }
            let data = try folder.contents(of: file)
            if data.count > Self.largestBody { return }
            if data.isEmpty {
                if !knowsRoutes, !hasNoContent(file) { problems.append(Self.emptyBody(path)) }
                return
            }
            let document = try strictParser.read(data, path: path, .body)
            bodies[ByteName(file)] = document.root
            if let entry = AnswerRules.duplicate(in: document.root) {
                problems.append(
                    .warning(
                        path: path, line: document.line(of: entry.keyOffset),
                        message:
                            "the key \(entry.key.quoted) is in this object twice, and decoders read only one of them",
                        fix: "remove one"))
            }
        } catch {
            var problem = error
            if Self.saysBroken(file) { problem.details.fix = Self.brokenOnPurpose }
            problems.append(problem)
        }
    }

    /// Finds files that belong to other tools, such as an OpenAPI document. A file with settings is not reported,
    /// because the settings show that a server sends the file.
    private mutating func checkTool(_ file: String) {
        guard !MockFileName.isSettings(file), folder[file]?.kind == .file else { return }
        let mock = folder.owner(of: file).mock
        var tool = bodies[ByteName(file)].flatMap(ForeignFile.kind)
        if [".yml", ".yaml"].contains(where: file.lowercased().ends), let data = try? folder.contents(of: file) {
            // Another check reports a file that cannot be read.
            tool = data.count > Self.largestBody ? nil : data.text.flatMap(ForeignFile.kind(ofYAML:))
        }
        guard let tool, folder.stub(named: mock).usual.settings == nil else { return }
        problems.append(
            .warning(
                path: folder.path(of: file), message: "this is \(tool), which no route gets as a response",
                fix: "move it to another folder; a mock is the body that the server sends, with its status and headers "
                    + "in \(mock)\(MockFileName.settingsSuffix) beside it"))
    }

    private static let brokenOnPurpose =
        "to answer with broken JSON, write {\"failure\": \"malformed\"} in settings beside a correct body, or name the "
        + "file with another extension and list it as \"body\" in settings"

    /// Returns true for a name such as `user-bad-json` or `malformed`, because the file is probably invalid on purpose.
    private static func saysBroken(_ file: String) -> Bool {
        let name = file.lowercased()
        return ["bad", "malformed", "invalid", "broken", "corrupt", "fail", "truncated", "not-json"]
            .contains(where: name.contains)
    }

    private static func emptyBody(_ path: String) -> FileProblem {
        .warning(
            path: path, message: "the file is empty, which is right only for routes without a response",
            fix: "write the JSON that the server sends, or replace the file by settings with \"status\": 204")
    }

    private mutating func checkStream(_ file: String, _ check: (Data, String) -> [FileProblem]) {
        guard folder[file]?.kind == .file else { return }
        do throws(FileProblem) {
            let data = try folder.contents(of: file)
            if data.count <= Self.largestBody {
                problems += check(data, folder.path(of: file))
            }
        } catch {
            problems.append(error)
        }
    }

    /// Returns true if the file name contains a status whose responses never have a body (RFC 9110 sections 15.3.5,
    /// 15.3.6 and 15.4.5).
    private func hasNoContent(_ file: String) -> Bool {
        [204, 205, 304].contains(folder.owner(of: file).saidStatus ?? 200)
    }

    // MARK: Settings

    private mutating func checkMock(_ name: String) {
        let stub = folder.stub(named: name)
        if stub.hasUsual { check(nil, of: stub) }
        for variant in stub.variantNames { check(variant, of: stub) }
        problems += AnswerRules.problems(ofPagesOf: stub, in: folder)
    }

    private mutating func check(_ variant: String?, of stub: MockStub) {
        do throws(MockIndex.Failure) {
            let mock = try folder.definition(of: stub, variant: variant)
            problems += AnswerRules.problems(of: mock, in: folder)
            guard let settings = mock.settings else { return }
            named.formUnion(settings.responses.compactMap(\.body).map(ByteName.init))
            if let body = settings.response.body, let files = stub[variant] {
                replaced += files.bodies.map { ($0.path, settings.path, body) }
            }
            if settings.recorded != nil, mock.variant == nil { recorded[ByteName(mock.name)] = mock.file }
            checkAge(settings)
        } catch {
            // The mock was found by its files, so no other error is possible.
            if case .invalid(let invalid) = error { problems += invalid }
        }
    }

    /// Finds unused bodies, such as the body of an old recording whose content type has changed on the server.
    ///
    /// A file `user.txt` beside a recorded `user.json` is probably an old body, unless a route names the mock
    /// `user.txt`. An image beside JSON with the same name is common, so such an image is not reported.
    private mutating func checkUnused() {
        for (file, settings, body) in replaced where !named.contains(ByteName(file)) {
            problems.append(
                .warning(
                    path: folder.path(of: file),
                    message: "nothing uses this body: the settings \(settings) name \(body)",
                    fix: "remove it"))
        }
        if knowsRoutes { return }
        for file in folder.fileNames {
            // This condition finds `x.JSON` and `x.json.json`.
            let mock = folder.owner(of: file).mock
            if mock.lowercased().ends(with: MockFileName.bodySuffix), !MockFileName.isSettings(mock),
                file.isSame(as: mock) || file.isSame(as: mock + MockFileName.bodySuffix),
                !named.contains(ByteName(file))
            {
                let name = mock.withoutEnd(String(mock.suffix(MockFileName.bodySuffix.count)))
                problems.append(
                    .warning(
                        path: folder.path(of: file),
                        message: "only a route with the mock \(mock.quoted) uses this file",
                        fix: "rename it to \(name)\(MockFileName.bodySuffix)"))
                continue
            }
            guard MediaType(fileName: file)?.rawValue.begins(with: "text/") == true, !named.contains(ByteName(file)),
                let mock = file.beforeLastDot, let body = recorded[ByteName(mock)], !body.isSame(as: file),
                folder.stub(named: file).usual.settings == nil
            else { continue }
            problems.append(
                .warning(
                    path: folder.path(of: file),
                    message:
                        "only a route with the mock \"\(file)\" uses this body; the recording of \"\(mock)\" has the "
                        + "body \(body)",
                    fix: "remove it if the server sent it before"))
        }
    }

    private mutating func checkAge(_ settings: MockSettings) {
        guard let recorded = settings.recorded, recorded.isExpired(at: now), let lifetime = recorded.lifetime else {
            return
        }
        let end = ISO8601Text.text(of: recorded.at.addingTimeInterval(lifetime))
        problems.append(
            .warning(
                path: settings.path, line: recorded.line, message: "the recording expired at \(end)",
                fix: "record it again" + (recorded.from.map { " with MOCKS=record:\($0)" } ?? "")
            ).of(.expired))
    }
}

extension FileProblem.Kind {
    /// A recording is older than its settings allow.
    package static let expired = Self(rawValue: "expired")
}

extension FileProblem {
    /// A problem that does not fail the build or the test.
    package static func warning(
        path: String?, line: Int? = nil, column: Int? = nil, message: String, fix: String? = nil
    ) -> FileProblem {
        FileProblem(path: path, line: line, column: column, message: message, fix: fix).with(.warning)
    }
}

extension StubDefinition {
    /// All responses that a call can get, including those of a sequence.
    package var responses: [StubResponse] { (settings?.responses ?? [StubResponse()]).map { $0.inheriting(named) } }
}
