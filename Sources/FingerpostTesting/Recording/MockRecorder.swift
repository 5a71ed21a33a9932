import FingerpostFiles
import Foundation

/// Writes recordings to a folder of mocks, one after another, so that the body and the settings of a mock are of one exchange.
actor MockRecorder {
    /// What stands for a mock in this run.
    private struct Written {
        let turn: Int
        let file: String
    }

    let folder: URL
    nonisolated let turns = Turns()
    /// By the paths of settings, which every recording has.
    private var written: [ByteName: Written] = [:]

    init(folder: URL) {
        self.folder = folder
    }

    private static let all = Locked<[ByteName: MockRecorder]>([:])

    /// The recorder of a folder, one for all tests of the process.
    static func shared(for folder: URL) -> MockRecorder {
        let place = ByteName(folder.standardizedFileURL.resolvingSymlinksInPath().path)
        return all.withLock { all in
            if let recorder = all[place] { return recorder }
            let recorder = MockRecorder(folder: folder)
            all[place] = recorder
            return recorder
        }
    }

    /// Numbers calls in the order in which they begin.
    final class Turns: Sendable {
        private let last = Locked(0)

        func next() -> Int {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }

    /// Writes a recording.
    ///
    /// - Parameters:
    ///   - turn: of several calls of one mock the one with the highest stays, whichever is answered last.
    ///   - tell: gets a line for each file.
    /// - Throws: a problem when a file cannot be written, and the refusal of settings that cannot be without a secret.
    func write(_ recording: Recording, turn: Int, tell: (String) -> Void) throws {
        let key = ByteName(recording.settingsFile)
        let earlier = written[key]
        if let earlier, turn < earlier.turn {
            return tell(
                "kept \(path(of: earlier.file)): a later call of this run answered it, not \(recording.settings.route)")
        }
        let existing = try settings(in: recording.settingsFile)
        // What people wrote into settings to be answered otherwise is no recording's to undo.
        if let key = ["sequence", "failure"].first(where: { existing[$0] != nil }) {
            return tell(
                "kept \(path(of: recording.settingsFile)): its \"\(key)\" is no recording; "
                    + "remove it to record \(recording.settings.route)")
        }
        let (settings, redacted) = try recording.settings.merged(into: existing)
        let text = try text(of: settings, in: recording.settingsFile)
        // Of two files none is written where the other cannot be.
        for file in [recording.file, recording.settingsFile] { try checkPlace(of: url(of: file)) }
        let changes = [
            change(
                of: recording.file, to: recording.body,
                over: earlier.map { _ in "recorded in this run, from another call" }),
            change(
                of: recording.settingsFile, to: text, over: Self.mark(of: existing),
                isOnlyRenewed: Self.isSame(existing, settings)),
        ]
        try write(changes.compactMap(\.file), of: recording.name.mock)
        written[key] = Written(turn: turn, file: recording.file)
        for change in changes { tell(change.line) }
        if let earlier, !earlier.file.isSame(as: recording.file) { try remove(earlier.file, tell) }
        tellRedacted(recording.redacted, in: recording.file, tell)
        tellRedacted(redacted, in: recording.settingsFile, tell)
        // What is larger is no text.
        let searched = recording.body.count > Recording.largestSearched ? Data() : recording.body
        for match in SecretScan([]).matches(in: searched) {
            tell(
                "look at \(path(of: recording.file)):\(match.line) before you commit it: there stands \(match.kind)")
        }
        checkThatItAnswers(recording, tell)
    }

    /// A line for each place where a secret was left out, up to a screenful.
    private func tellRedacted(_ places: [JSONPointer], in file: String, _ tell: (String) -> Void) {
        let shown = 20
        for pointer in places.prefix(shown) {
            tell("redacted \(path(of: file))" + (pointer.parts.isEmpty ? "" : " at \(pointer)"))
        }
        if places.count > shown { tell("redacted \(path(of: file)) at \(places.count - shown) places more") }
    }

    // MARK: Settings

    private func text(of settings: [String: Any], in file: String) throws(FileProblem) -> Data {
        do {
            return try JSONSerialization.data(
                withJSONObject: settings, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
                + Data("\n".utf8)
        } catch {
            throw FileProblem(path: path(of: file), message: "the settings cannot be written: \(error)")
        }
    }

    /// When and from where existing settings were recorded.
    private static func mark(of settings: [String: Any]) -> String? {
        let recorded = settings["recorded"] as? [String: Any]
        return (recorded?["at"] as? String).map { at in
            "recorded \(at)" + ((recorded?["from"] as? String).map { " from \($0)" } ?? "")
        }
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
        let url = url(of: file)
        guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
        // Whatever the reason is, what cannot be read must not be lost.
        let read = (try? Data(contentsOf: url)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        guard let settings = read as? [String: Any] else {
            throw FileProblem(
                path: path(of: file), message: "these settings cannot be read, and so are not replaced",
                fix: "correct or remove them")
        }
        return settings
    }

    // MARK: Files

    private func url(of file: String) -> URL { folder.appendingPathComponent(file) }

    private func path(of file: String) -> String { FilePath.display(url(of: file)) }

    /// - Parameter before: what is replaced; nil where no more is known than its size.
    /// - Returns: what is to be written, nil where it stands there already; and what is told of it.
    private func change(
        of file: String, to data: Data, over before: String?, isOnlyRenewed: Bool = false
    ) -> (file: RecordedFile?, line: String) {
        let (url, place) = (url(of: file), path(of: file))
        let recorded = RecordedFile(url: url, data: data)
        guard FileManager.default.fileExists(atPath: url.path) else { return (recorded, "wrote \(place)") }
        // One that cannot be read is replaced like any other.
        let existing = try? Data(contentsOf: url)
        if existing == data { return (nil, "unchanged \(place)") }
        if isOnlyRenewed { return (recorded, "renewed \(place)") }
        let was = before ?? existing.map { "\($0.count) bytes" } ?? "not readable"
        return (recorded, "replaced \(place) (was \(was))")
    }

    /// Writes files of a mock together: a process that dies leaves no body beside the settings of another recording.
    private func write(_ files: [RecordedFile], of mock: String) throws(FileProblem) {
        try RecordedFile.removeLeftovers(of: url(of: mock))
        // What has taken its place is not there to be discarded.
        defer { for file in files { file.discard() } }
        for file in files { try file.prepare() }
        for file in files { try file.takePlace() }
    }

    /// The body of an earlier recording of this run would answer in place of the new one.
    private func remove(_ file: String, _ tell: (String) -> Void) throws(FileProblem) {
        let (url, place) = (url(of: file), path(of: file))
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            throw FileProblem(
                path: place, message: "this earlier recording cannot be removed: \(error.localizedDescription)",
                fix: "remove it, as another file answers now")
        }
        tell("removed \(place) (was recorded in this run, from another call)")
    }

    /// Links inside the folder could lead outside.
    private func checkPlace(of url: URL) throws(FileProblem) {
        guard folder.isFolder else { return }
        var parent = url.deletingLastPathComponent()
        while !parent.isFolder, parent.path.count > folder.path.count { parent.deleteLastPathComponent() }
        let root = folder.resolvingSymlinksInPath().path
        let real = parent.resolvingSymlinksInPath().path
        // What is no link has no destination.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
        if !isLink, real == root || real.hasPrefix(root + "/") { return }
        throw FileProblem(
            path: FilePath.display(url),
            message: "this is a link or stands behind one, and could lead outside the folder",
            fix: "replace the link by what it leads to")
    }

    /// Another file can stand in the way: `user` beside `user.json`.
    private func checkThatItAnswers(_ recording: Recording, _ tell: (String) -> Void) {
        do {
            let mock = try MockFolder(url: folder).mock(named: recording.name.mock, variant: recording.name.variant)
            if mock.file?.isSame(as: recording.file) != true {
                tell("but \(mock.file ?? "no body") answers for \"\(recording.name.mock)\": remove it")
            }
        } catch MockFolder.Failure.invalid(let problems) {
            for problem in problems { tell("but the mock \"\(recording.name.mock)\" cannot answer: \(problem)") }
        } catch {
            tell("but the mock \"\(recording.name.mock)\" cannot answer: \(error)")
        }
    }
}
