import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Writes recordings to a mocks folder. Only one recording is written at a time, so that a mock's body and settings
/// come from the same call.
final class MockRecorder: Sendable {
    /// The most recent recording that this run wrote for a mock.
    struct Written {
        let turn: Int
        let file: String
        /// The server that answered.
        var server: Origin?
        var by: String?
        /// The test that recorded the response.
        var test: UUID?
    }

    let folder: URL
    private let turns = Locked(0)
    /// The most recent recording of each mock. The key is the path of the settings file, because every recording has a
    /// settings file.
    let written = Locked<[ByteName: Written]>([:])
    /// For each mock, the queries of the pages that this run recorded, except the first page.
    let pages = Locked<[ByteName: [ByteName]]>([:])
    /// The lines of the report that must not be repeated.
    private let reportedPlaces = Locked<Set<String>>([])
    /// Ensures that only one recording is written at a time. This lock blocks the thread, because a stream can end in
    /// synchronous code, which cannot suspend.
    private let writing = NSLock()

    init(folder: URL) {
        self.folder = folder
    }

    private static let all = Locked<[ByteName: MockRecorder]>([:])

    /// Returns the recorder for a folder. All tests of the process share one recorder per folder.
    static func shared(for folder: URL) -> MockRecorder {
        let place = ByteName(folder.standardizedFileURL.resolvingSymlinksInPath().path)
        return all.withLock { all in
            if let recorder = all[place] { return recorder }
            let recorder = MockRecorder(folder: folder)
            all[place] = recorder
            return recorder
        }
    }

    /// Returns the number of a call. Calls are numbered in the order in which they start.
    func nextTurn() -> Int {
        turns.withLock { last in
            last += 1
            return last
        }
    }

    /// Records the response to a route.
    ///
    /// - Parameters:
    ///   - names: the names that the mock may have, the preferred name first.
    ///   - turn: the call's number, which ``nextTurn()`` returns. If several calls record the same mock, the response
    ///     to the call with the highest number remains. This is true even if another response arrives later.
    ///   - test: the test that records. Nil if the test is unknown.
    ///   - report: receives each line of the report.
    ///   - compare: receives the recording. If this argument is nil, the recording is written to the folder.
    ///   - recording: creates the recording from the mock's name and the page.
    /// - Throws: `FileProblem` if a file cannot be written. `Recording.Refusal` if the mock belongs to another request,
    ///   or if a secret cannot be removed from the settings.
    func record(
        _ route: Route, _ request: URLRequest, named names: [String], turn: Int, in test: UUID? = nil,
        report: (String) -> Void, comparing compare: ((Recording) -> Void)? = nil,
        as recording: (String, Recording.Page?) throws -> Recording
    ) throws {
        writing.lock()
        defer { writing.unlock() }
        let (mock, objection) = try place(for: route, request, names)
        let recording = try recording(mock, page(route, request, of: mock))
        if let objection { throw recording.settings.refusal(objection) }
        guard let compare else {
            let server = request.url.map(Origin.init)
            return try write(
                recording,
                Written(turn: turn, file: recording.file, server: server, by: Recording.origin(of: route), test: test),
                report)
        }
        _ = try recording.settings.merged(into: settings(in: recording.settingsFile))
        compare(recording)
    }

    /// Returns `sequence` or `failure` if the settings contain that key. A person has written such settings, so the
    /// recorder must not overwrite them. Returns nil if the sequence is the end of a recorded stream.
    func keyWrittenByHand(in settings: Node) -> String? {
        EndOfStream.isIn(settings) ? nil : ["sequence", "failure"].first { settings[$0] != nil }
    }

    // MARK: Writing

    private func write(_ recording: Recording, _ new: Written, _ report: (String) -> Void) throws {
        let turn = new.turn
        let key = ByteName(recording.settingsFile)
        let earlier = written.withLock { $0[key] }
        if let earlier, turn < earlier.turn {
            return report(
                "kept \(path(of: earlier.file)): it is from a later call than this \(recording.settings.template)")
        }
        let existing = try settings(in: recording.settingsFile)
        let hasEnd = EndOfStream.isIn(existing)
        if let key = keyWrittenByHand(in: existing) {
            return report(
                "kept \(path(of: recording.settingsFile)): its \"\(key)\" was written by hand; "
                    + "remove it to record \(recording.settings.template)")
        }
        if recording.isEndOfStream, let stream = stream(of: recording.name.mock, existing),
            !stream.isSame(as: recording.file)
        {
            let change = try change(
                of: recording.settingsFile, from: existing, to: EndOfStream.added(to: existing, after: stream),
                isOfNewBody: true)
            try checkPlace(of: url(of: change.file))
            try write(change)
            written.withLock { $0[key] = Written(turn: turn, file: stream) }
            return report(change.line)
        }
        var (settings, redacted) = try recording.settings.merged(into: EndOfStream.removed(from: existing))
        if hasEnd, recording.settings.pace != nil, !recording.isEndOfStream {
            settings = EndOfStream.added(to: settings, after: recording.file)
        }
        // Check the paths of both files before the first file is written.
        for file in [recording.file, recording.settingsFile] { try checkPlace(of: url(of: file)) }
        let isRecorded = existing["recorded"] != nil
        let body = change(
            of: recording.file, to: recording.body, isRecorded: isRecorded,
            over: earlier.map { _ in "recorded by an earlier call of this run" })
        var changes = [
            body,
            try change(of: recording.settingsFile, from: existing, to: settings, isOfNewBody: body.isWritten),
        ]
        if let change = try defaultAnswer(from: recording, isNew: body.isWritten) { changes.append(change) }
        let former = former(of: recording, earlier)
        // A body that a person wrote is not removed.
        let isRemoved = earlier != nil || isRecorded
        // The body is written before the settings, because the settings name the body.
        for change in changes { try write(change) }
        if let former, isRemoved { try FileManager.default.removeItem(at: url(of: former)) }
        written.withLock { $0[key] = new }
        for change in changes { report(change.line) }
        if body.isWritten, let earlier, earlier.test != nil, earlier.test == new.test {
            let line =
                "but \(path(of: recording.file)) is only the last of several answers that one test got. For other "
                + "paths, add variants with \"for\"; otherwise, record each answer in a test of its own, or write a "
                + "\"sequence\""
            if reportedPlaces.withLock({ $0.insert(line).inserted }) { report(line) }
        }
        if let former, isRemoved {
            let how = earlier == nil ? "with another content type" : "by an earlier call of this run"
            report("removed \(path(of: former)) (was recorded \(how))")
        }
        reportRedacted(recording.redacted, in: recording.file, report)
        reportRedacted(redacted, in: recording.settingsFile, report)
        checkThatItAnswers(recording, isRemoved ? nil : former, report)
    }

    /// Returns the mock's earlier body file if its name differs from the name of the new file. After the recording, the
    /// earlier file would be unused, or would answer instead of the new file.
    ///
    /// - Parameter earlier: the mock's earlier recording in this run.
    private func former(of recording: Recording, _ earlier: Written?) -> String? {
        let name = recording.name
        // If the mock cannot be read, the error is reported when the recording is written.
        let found = (try? MockIndex(url: folder).mock(named: name.mock, variant: name.variant))?.file
        guard let file = earlier?.file ?? found.flatMap({ name.isOfSameAnswer($0) ? $0 : nil }),
            !file.isSame(as: recording.file), exists(file)
        else { return nil }
        return file
    }

    /// Returns the body file of a recorded stream, or nil if the mock's settings do not describe a stream.
    private func stream(of mock: String, _ settings: Node) -> String? {
        // If the folder cannot be read, the error is reported when the recording is written.
        settings["pace"] == nil ? nil : (try? MockIndex(url: folder).mock(named: mock))?.file
    }

    /// Returns the change that makes a recorded error the default response of a mock without one. The mock answers with
    /// this error until a successful recording replaces the default response.
    ///
    /// - Parameter isNew: true if the recording's body differs from the body file's content.
    /// - Returns: nil if the mock has another default response.
    private func defaultAnswer(from recording: Recording, isNew: Bool) throws -> Change? {
        guard let (file, settings) = recording.defaultSettings else { return nil }
        let existing = try self.settings(in: file)
        let body = existing["body"]?.string.map { MockFileName.folder(of: file) + $0 }
        let variant = body.flatMap { MockFileName($0, of: recording.name.mock) }?.variant
        let mocks = folder.isFolder ? try MockIndex(url: folder) : nil
        let hasUsual = mocks?.stub(named: recording.name.mock).hasUsual == true
        guard variant == recording.name.variant || !hasUsual else { return nil }
        try checkPlace(of: url(of: file))
        // The redacted values are reported with the settings of the variant.
        let merged = try settings.merged(into: existing).settings
        return try change(of: file, from: existing, to: merged, isOfNewBody: isNew)
    }

    /// Reports the redacted values in a file: one line for each of the first 20 values, then the number of the other
    /// values. A line that was reported for an earlier recording is not repeated.
    private func reportRedacted(_ places: [String], in file: String, _ report: (String) -> Void) {
        let shown = 20
        var lines = places.prefix(shown).map { "redacted \(path(of: file))" + ($0.isEmpty ? "" : " at \($0)") }
        if places.count > shown { lines.append("redacted \(path(of: file)) at \(places.count - shown) more places") }
        for line in lines where reportedPlaces.withLock({ $0.insert(line).inserted }) { report(line) }
    }

    // MARK: Settings

    private func text(of settings: Node, in file: String) throws(FileProblem) -> Data {
        do {
            // Existing settings files have the key order of `JSONSerialization`. `JSONEncoder` would write another
            // order.
            return try JSONSerialization.data(
                withJSONObject: JSONSerialization.jsonObject(with: settings.json()),
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
                + Data("\n".utf8)
        } catch {
            throw FileProblem(path: path(of: file), message: "the settings cannot be written: \(error)")
        }
    }

    /// Returns the time and the environment of the recording that wrote the existing settings.
    private static func mark(of settings: Node) -> String? {
        let recorded = settings["recorded"]
        return recorded?["at"]?.string.map { at in
            "recorded \(at)" + (recorded?["from"]?.string.map { " from \($0)" } ?? "")
        }
    }

    /// Returns the new content of a settings file. If only the date differs, the old date is kept, because a new date
    /// would change every file in each run. The new date is written nevertheless if the body is new or the settings
    /// have an `expires` entry.
    private func change(
        of file: String, from existing: Node, to settings: Node, isOfNewBody: Bool
    ) throws(FileProblem) -> Change {
        let data = try text(of: settings, in: file)
        let change = change(
            of: file, to: data, isRecorded: existing["recorded"] != nil, over: Self.mark(of: existing))
        var (kept, recorded) = (settings, settings["recorded"] ?? .object)
        recorded.set("at", to: existing["recorded"]?["at"])
        kept.set("recorded", to: recorded)
        guard change.isWritten, try text(of: kept, in: file) == text(of: existing, in: file) else { return change }
        let expires = existing["recorded"]?["expires"] != nil
        let isWritten = isOfNewBody || expires
        let line = "\(isWritten ? "renewed" : "unchanged") \(path(of: file))"
        return Change(file: file, data: data, isWritten: isWritten, line: line)
    }

    /// Returns the settings in a file, or an empty object if the file does not exist.
    func settings(in file: String) throws(FileProblem) -> Node {
        let url = url(of: file)
        guard exists(file) else { return .object }
        // Settings that cannot be read are never overwritten, because a person may have written them.
        let read = (try? Data(contentsOf: url)).flatMap { try? JSONReader.read($0) }
        guard let settings = read, settings.entries != nil else {
            throw FileProblem(
                path: path(of: file), message: "the existing settings cannot be read, so they are not replaced",
                fix: "correct or remove the file")
        }
        return settings
    }

    // MARK: Files

    func url(of file: String) -> URL { folder.appendingPathComponent(file) }

    private func exists(_ file: String) -> Bool { FileManager.default.fileExists(atPath: url(of: file).path) }

    func path(of file: String) -> String { FilePath.display(url(of: file)) }

    /// The new content of a file.
    private struct Change {
        let file: String
        let data: Data
        /// False if the file already has this content.
        var isWritten = true
        /// The line of the report.
        let line: String
    }

    /// - Parameters:
    ///   - isRecorded: false for a mock that the recorder did not write.
    ///   - before: describes the replaced content in the report. If this argument is nil, the report contains the size
    ///     of the replaced content.
    private func change(of file: String, to data: Data, isRecorded: Bool, over before: String?) -> Change {
        let place = path(of: file)
        guard exists(file) else { return Change(file: file, data: data, line: "wrote \(place)") }
        // An existing file that cannot be read is replaced too.
        let existing = try? Data(contentsOf: url(of: file))
        if existing == data { return Change(file: file, data: data, isWritten: false, line: "unchanged \(place)") }
        let was = before ?? existing.map { "\($0.count) bytes" } ?? "unreadable"
        let end = isRecorded || before != nil ? "" : ", not recorded"
        return Change(file: file, data: data, line: "replaced \(place) (was \(was)\(end))")
    }

    /// Replaces a file atomically: if the process ends, the disk contains either the old file or the new file. The file
    /// keeps its mode and its attributes.
    private func write(_ change: Change) throws(FileProblem) {
        if !change.isWritten { return }
        let file = url(of: change.file)
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let new = NewFile.hidden(in: folder)
            defer { unlink(new.path) }
            try NewFile.write(change.data, to: new, mode: 0o666)
            try NewFile.move(new, to: file)
        } catch {
            throw FileProblem(
                path: FilePath.display(file), message: "the recording cannot be written: \(error.localizedDescription)")
        }
    }

    /// Throws an error if the file is a symbolic link, or if a link leads outside the mocks folder.
    private func checkPlace(of url: URL) throws(FileProblem) {
        guard folder.isFolder else { return }
        var parent = url.deletingLastPathComponent()
        while !parent.isFolder, parent.path.count > folder.path.count { parent.deleteLastPathComponent() }
        let root = folder.resolvingSymlinksInPath().path
        let real = parent.resolvingSymlinksInPath().path
        // Reading the destination succeeds only for a symbolic link.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
        if !isLink, real.isSame(as: root) || real.begins(with: root + "/") { return }
        throw FileProblem(
            path: FilePath.display(url),
            message: "the file or one of its folders is a link, which could lead outside the folder",
            fix: "replace the link with the file or folder it points to")
    }

    /// Warns if another file, such as `user` beside `user.json`, would answer instead of the recorded file. Also
    /// reports an earlier body file that the recorder does not remove.
    private func checkThatItAnswers(_ recording: Recording, _ kept: String?, _ report: (String) -> Void) {
        do {
            let mock = try MockIndex(url: folder).mock(named: recording.name.mock, variant: recording.name.variant)
            if mock.file?.isSame(as: recording.file) != true {
                report(
                    "but \(mock.file ?? "no body") answers for \"\(recording.name.mock)\", not the recording: remove it"
                )
            } else if let kept {
                report("kept \(path(of: kept)): the recorder did not write it; remove it if nothing uses it")
            }
        } catch MockIndex.Failure.invalid(let problems) {
            for problem in problems { report("but the mock \"\(recording.name.mock)\" cannot answer: \(problem)") }
        } catch MockIndex.Failure.unreadable(let problem) {
            report("but the mock \"\(recording.name.mock)\" cannot answer: \(problem)")
        } catch is MockIndex.Failure {
            report("but the mock \"\(recording.name.mock)\" cannot answer: another process has removed it")
        } catch {
            report("but the mock \"\(recording.name.mock)\" cannot answer: \(error)")
        }
    }
}

extension MockFileName {
    /// Returns true if a file can be a body of the same response, with any media type: `user.txt` and `user.204` belong
    /// to `user.json`, but `user.404.json` does not.
    fileprivate func isOfSameAnswer(_ file: String) -> Bool {
        guard let other = MockFileName(file, of: mock) else {
            // The extensions of JSON and of streams are not part of a mock's name. Any other extension is part of the
            // name, and is removed before the comparison.
            return file.beforeLastDot?.isSame(as: variant.map { "\(mock).\($0)" } ?? mock) == true
        }
        // The file name of a response without a body contains the status in place of an extension.
        let isEmptySuccess = other.variant.flatMap { Int($0) }?.isSuccessStatus == true
        return other.variant == variant
            || variant == nil && isEmptySuccess && file.isSame(as: "\(mock).\(other.variant ?? "")")
    }
}
