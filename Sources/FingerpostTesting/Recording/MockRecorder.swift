import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes recordings to a folder of mocks, one after another.
actor MockRecorder {
    /// What a file's name stands for in this run.
    private struct Written {
        let turn: Int
        let request: String
    }

    let folder: URL
    private let environment: Environment?
    private let now: @Sendable () -> Date
    private let tell: @Sendable (String) -> Void
    private var written: [String: Written] = [:]
    private(set) var lines: [String] = []

    init(
        folder: URL, environment: Environment?, now: @escaping @Sendable () -> Date,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.folder = folder
        self.environment = environment
        self.now = now
        self.tell = tell
    }

    /// Writes a response.
    ///
    /// - Parameter turn: of several calls of one mock the one with the highest stays, whichever is answered last.
    /// - Throws: a problem when the mock's name leads outside the folder, or a file cannot be written.
    func record(
        _ response: Response<Data>, to request: URLRequest, of route: Route, named mock: String, turn: Int
    ) throws(FileProblem) {
        if let objection = MockFileName.objection(to: mock) {
            throw FileProblem(
                path: FilePath.display(folder),
                message: "the mock name \"\(mock)\" of \(route.name) cannot be one: \(objection)",
                fix: "name a file below the folder")
        }
        let recording: Recording
        do throws(Recording.Refusal) {
            recording = try Recording(response, to: request, of: route, named: mock, environment: environment)
        } catch {
            say("not written: the answer to \(route.name), as \(error.reason)")
            return
        }
        let place = FilePath.display(folder.appendingPathComponent(recording.file))
        if let other = written[recording.file] {
            guard turn > other.turn else {
                return say("kept \(place): a later call of this run answered it, not \(recording.settings.route)")
            }
        }
        guard try mayReplaceSettings(of: recording) else { return }
        let isSecond =
            written.updateValue(Written(turn: turn, request: recording.settings.route), forKey: recording.file) != nil
        try write(recording.body, to: recording.file, isSecond: isSecond)
        try writeSettings(recording)
        for match in SecretScan([]).matches(in: recording.body) {
            say("look at \(place):\(match.line) before you commit it: there stands \(match.kind)")
        }
        checkThatItAnswers(recording)
    }

    // MARK: Settings

    /// What people wrote into settings to be answered otherwise is no recording's to undo.
    private func mayReplaceSettings(of recording: Recording) throws(FileProblem) -> Bool {
        let existing = try settings(in: recording.settingsFile)
        guard let key = ["sequence", "failure"].first(where: { existing[$0] != nil }) else { return true }
        let place = FilePath.display(folder.appendingPathComponent(recording.settingsFile))
        say("kept \(place): its \"\(key)\" is no recording; remove it to record \(recording.settings.route)")
        return false
    }

    private func writeSettings(_ recording: Recording) throws(FileProblem) {
        // What no server says stays: delays, fills and the like.
        var settings = try settings(in: recording.settingsFile)
        let before = settings
        let recorded = settings["recorded"] as? [String: Any] ?? [:]
        let new = recording.settings
        settings["for"] = new.route
        settings["status"] = new.status
        settings["headers"] = new.headers.isEmpty ? nil : new.headers
        settings["body"] = new.body
        var mark = recorded
        mark["at"] = ISO8601Text.text(of: Date(timeIntervalSince1970: now().timeIntervalSince1970.rounded(.down)))
        mark["from"] = environment?.name
        settings["recorded"] = mark
        let url = folder.appendingPathComponent(recording.settingsFile)
        let data: Data
        do {
            data = try JSONSerialization.data(
                withJSONObject: settings, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        } catch {
            throw FileProblem(path: FilePath.display(url), message: "the settings cannot be written: \(error)")
        }
        let isOnlyRenewed = Self.isSame(before, settings)
        let was = (recorded["at"] as? String).map { at in
            "recorded \(at)" + ((recorded["from"] as? String).map { " from \($0)" } ?? "")
        }
        try write(data + Data("\n".utf8), to: recording.settingsFile, isOnlyRenewed: isOnlyRenewed, was: was)
    }

    /// True for settings that differ in the time of the recording alone.
    private static func isSame(_ a: [String: Any], _ b: [String: Any]) -> Bool {
        func timeless(_ settings: [String: Any]) -> NSDictionary {
            var settings = settings
            var recorded = settings["recorded"] as? [String: Any] ?? [:]
            recorded["at"] = nil
            settings["recorded"] = recorded
            return NSDictionary(dictionary: settings)
        }
        return !a.isEmpty && timeless(a) == timeless(b)
    }

    private func settings(in file: String) throws(FileProblem) -> [String: Any] {
        let url = folder.appendingPathComponent(file)
        guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
        let read = (try? Data(contentsOf: url)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        guard let settings = read as? [String: Any] else {
            throw FileProblem(
                path: FilePath.display(url), message: "these settings cannot be read, and so are not replaced",
                fix: "correct or remove them")
        }
        return settings
    }

    // MARK: Files

    private func write(
        _ data: Data, to file: String, isSecond: Bool = false, isOnlyRenewed: Bool = false, was: String? = nil
    ) throws(FileProblem) {
        let url = folder.appendingPathComponent(file)
        let place = FilePath.display(url)
        try checkPlace(of: url)
        let existing = try? Data(contentsOf: url)
        if existing == data { return say("unchanged \(place)") }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url, options: .atomic)
        } catch {
            throw FileProblem(path: place, message: "the recording cannot be written: \(error.localizedDescription)")
        }
        guard let existing else { return say("wrote \(place)") }
        if isOnlyRenewed { return say("renewed \(place)") }
        let before = isSecond ? "recorded in this run, from another call" : was ?? "\(existing.count) bytes"
        say("replaced \(place) (was \(before))")
    }

    /// Links inside the folder could lead outside.
    private func checkPlace(of url: URL) throws(FileProblem) {
        guard folder.isFolder else { return }
        var parent = url.deletingLastPathComponent()
        while !parent.isFolder, parent.path.count > folder.path.count { parent.deleteLastPathComponent() }
        let root = folder.resolvingSymlinksInPath().path
        let real = parent.resolvingSymlinksInPath().path
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
        if !isLink, real == root || real.hasPrefix(root + "/") { return }
        throw FileProblem(
            path: FilePath.display(url),
            message: "this is a link or stands behind one, and could lead outside the folder",
            fix: "replace the link by what it leads to")
    }

    /// Another file can stand in the way: `user` beside `user.json`.
    private func checkThatItAnswers(_ recording: Recording) {
        do {
            let mock = try MockFolder(url: folder).mock(named: recording.mock, variant: recording.variant)
            if mock.file != recording.file {
                say("but \(mock.file ?? "no body") answers for \"\(recording.mock)\": remove it")
            }
        } catch MockFolder.Failure.invalid(let problems) {
            for problem in problems { say("but the mock \"\(recording.mock)\" cannot answer: \(problem)") }
        } catch {
            say("but the mock \"\(recording.mock)\" cannot answer: \(error)")
        }
    }

    private func say(_ line: String) {
        lines.append(line)
        tell(line)
    }
}
