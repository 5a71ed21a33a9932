import FingerpostFiles
import FingerpostMockFiles
import Foundation

// Decides which mock a recording becomes, so that no recording replaces what another route recorded.
extension MockRecorder {
    /// The mock that a recording becomes.
    private struct Place {
        let mock: String
        /// What has to go first: the recording of another router's case with the same name.
        var move: Move?
        /// The mock that another route recorded, so that it must not be replaced.
        var taken: OwnedMock?
        /// The case that recorded the mock and is gone.
        var predecessor: MockOrigin?
    }

    /// A mock at the top level that goes to the folder of its router.
    private struct Move {
        let files: [String]
        /// The router's folder, with a trailing slash.
        let folder: String
    }

    /// Records the answer to a route. Only one process at a time does so in a folder.
    ///
    /// - Parameters:
    ///   - turn: the call's number, which ``turns`` assigns.
    ///   - report: receives each line of the report.
    ///   - recording: makes the recording for a mock's name, and for the page that it is.
    /// - Throws: as `write` does, and `Recording.Refusal` if another route recorded the mock.
    func record(
        _ route: MockOwner, turn: Int, report: (String) -> Void,
        as recording: @Sendable (String, Recording.Page?) throws -> Recording
    ) throws {
        // An error is reported when the recording is written.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        writing.lock()
        defer { writing.unlock() }
        try FolderLock.hold(folder) {
            let place = try place(for: route)
            let recording = try recording(place.mock, route.page.map { page(with: $0, of: place.mock) })
            if let taken = place.taken {
                let owner = recording.settings.redactor.redact(taken.description)
                throw Recording.Refusal(
                    route: recording.settings.route,
                    reason:
                        "\(path(of: recording.settingsFile)) belongs to another route (\(owner)); set `mock` in one "
                        + "of the two routers, or remove the mock to record it anew")
            }
            if let move = place.move { try perform(move, report) }
            if let predecessor = place.predecessor {
                report(
                    "took over the mock \"\(place.mock)\" from \(recording.settings.redactor.redact(predecessor.text)), "
                        + "which is gone")
            }
            try write(recording, turn: turn, report: report)
        }
    }

    /// The mock of a route: one that exists, or else the name of the case, in the router's folder if there is one. As
    /// soon as cases of two routers have the same name, each goes to the folder of its router.
    private func place(for route: MockOwner) throws(FileProblem) -> Place {
        let (own, shared) = (route.names[0], route.names[route.names.count - 1])
        // A folder that cannot be listed is reported when the recording is written.
        guard let mocks = try? MockFolder(url: folder) else { return Place(mock: shared) }
        guard let existing = route.names.first(where: mocks.hasMock) else {
            let isApart =
                folder.appendingPathComponent(own).deletingLastPathComponent().isFolder
                || mocks.mockNames.contains { shared.isSame(as: $0.parts(between: "/").dropFirst().last ?? "") }
            return Place(mock: route.names.count > 1 && isApart ? own : shared)
        }
        let files = mocks.files(of: existing)
        let recorded = try recorded(files)
        if route.mayReplace(recorded) { return Place(mock: existing) }
        if route.inherits(recorded) { return Place(mock: existing, predecessor: recorded.origin) }
        // Two routers with the same name have the same folder.
        if existing.isSame(as: own) || recorded.origin?.mockName == own {
            return Place(mock: existing, taken: recorded)
        }
        let folder = recorded.origin?.mockName.map(MockFileName.folder)
        return Place(mock: own, move: folder.map { Move(files: files, folder: $0) })
    }

    /// Who recorded a mock, by the first of its settings that tell.
    private func recorded(_ files: [String]) throws(FileProblem) -> OwnedMock {
        var mock = OwnedMock()
        for file in files where MockFileName.isSettings(file) {
            let settings = try settings(in: file)
            mock.origin = mock.origin ?? settings["recorded"]?["by"]?.string.map(MockOrigin.init)
            // An invalid `for` is reported when the mock answers.
            mock.route = mock.route ?? settings["for"]?.string.flatMap { try? MockRoute($0) }
        }
        return mock
    }

    // MARK: Moving

    private func perform(_ move: Move, _ report: (String) -> Void) throws {
        if let objection = try objection(to: move) {
            return report("kept \(path(of: move.files[0])): it cannot go to \(move.folder), because \(objection)")
        }
        let places = [folder, url(of: move.folder)]
        for place in places { try ReplacementJournal.finishAll(in: place) }
        let contents = try move.files.map { ($0, try Data(contentsOf: url(of: $0))) }
        // If the process ends in between, both places have the mock.
        try ReplacementJournal(in: places[1], writing: Dictionary(contents) { $1 }, removing: []).write()
        try ReplacementJournal(in: places[0], writing: [:], removing: move.files).write()
        for file in move.files {
            self.move(file, to: move.folder + file)
            report(
                "moved \(path(of: file)) to \(path(of: move.folder + file)), because another router recorded it. If the "
                    + "case has moved, move it back and correct its \"by\"")
        }
    }

    /// The reason why a mock cannot be moved; nil if it can.
    private func objection(to move: Move) throws -> String? {
        for file in move.files {
            if exists(move.folder + file) { return "there is \(path(of: move.folder + file))" }
            try checkPlace(of: url(of: file))
            try checkPlace(of: url(of: move.folder + file))
            // The path of a body is relative to the settings.
            guard MockFileName.isSettings(file) else { continue }
            if let body = Self.bodies(in: try settings(in: file)).first(where: { !move.files.contains($0) }) {
                return "its settings name the body \(body)"
            }
        }
        return nil
    }

    /// The bodies that settings name, relative to their file.
    static func bodies(in settings: Node) -> [String] {
        ([settings] + (settings["sequence"]?.elements ?? [])).compactMap { $0["body"]?.string }
    }
}

// Records each page of a list after the first as a variant, which answers the requests with the query of the page.
extension MockRecorder {
    /// The variant for a page: `page2` for the first page after the default answer that this run records, and so on. A
    /// page that is recorded again keeps its variant.
    ///
    /// - Parameter items: the query items of the page.
    func page(with items: [String], of mock: String) -> Recording.Page {
        let query = ByteName(items.joined(separator: "&"))
        let index = pages.withLock { pages in
            let known = pages[ByteName(mock), default: []]
            if let index = known.firstIndex(of: query) { return index }
            pages[ByteName(mock)] = known + [query]
            return known.count
        }
        return Recording.Page(variant: "page\(index + 2)", items: items)
    }
}

/// Lets one process at a time work in a folder. The system releases the lock when the process ends.
enum FolderLock {
    /// Runs a closure while no other process that asks for the lock works in the folder. On a file system without
    /// locks, the closure runs without one.
    static func hold<Result>(_ folder: URL, _ body: () throws -> Result) rethrows -> Result {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }
}
