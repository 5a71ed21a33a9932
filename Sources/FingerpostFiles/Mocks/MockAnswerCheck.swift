import Foundation

/// Finds what keeps the mocks of a folder from answering: their settings and their bodies.
struct MockAnswerCheck {
    private let folder: MockFolder
    private let listing: MockListing
    private let now: Date
    private var problems: [FileProblem] = []
    /// The bodies that are JSON, as far as they were read.
    private var bodies: [ByteName: Node] = [:]

    /// Every problem; those of the usual settings are told again for every variant.
    static func problems(of folder: MockFolder, at now: Date) -> [FileProblem] {
        var check = MockAnswerCheck(folder, now)
        for file in check.listing.files where file.ends(with: MockFileName.bodySuffix) && !MockFileName.isSettings(file)
        {
            check.checkJSON(file)
        }
        for name in check.listing.mockNames where MockFileName.objection(to: name) == nil { check.checkMock(name) }
        return check.problems
    }

    private init(_ folder: MockFolder, _ now: Date) {
        self.folder = folder
        self.now = now
        listing = folder.listing
    }

    // MARK: Bodies

    /// In bytes. What is larger takes too long to look at in every build.
    private static let largestBody = 5_000_000

    private mutating func checkJSON(_ file: String) {
        let path = folder.path(of: file)
        do throws(FileProblem) {
            // Links have been told.
            guard listing[file]?.kind == .file else { return }
            let data = try folder.contents(of: file)
            if data.count > Self.largestBody || data.isEmpty && hasNoContent(file) { return }
            bodies[ByteName(file)] = try Document(json: data, path: path).root
        } catch {
            problems.append(error)
        }
    }

    /// True where the name says a status that has no body (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5).
    private func hasNoContent(_ file: String) -> Bool {
        [204, 205, 304].contains(listing.owner(of: file).saidStatus ?? 200)
    }

    // MARK: Settings

    private mutating func checkMock(_ name: String) {
        let files = listing.files(of: name)
        let search = MockSearch(folder)
        if files.hasUsual {
            check { () throws(FileProblems) in try search.usual(files) }
        }
        for variant in files.variants {
            check { () throws(FileProblems) in try search.answer(variant, of: files) }
        }
    }

    private mutating func check(_ find: () throws(FileProblems) -> ResolvedMock) {
        do throws(FileProblems) {
            let mock = try find()
            guard let settings = mock.settings else { return }
            checkAge(settings)
            for answer in mock.answers { checkFill(answer, settings) }
        } catch {
            problems += error.problems
        }
    }

    private mutating func checkAge(_ settings: MockSettings) {
        guard let recorded = settings.recorded, recorded.isExpired(at: now), let lifetime = recorded.lifetime else {
            return
        }
        let end = ISO8601Text.text(of: recorded.at.addingTimeInterval(lifetime))
        var problem = FileProblem(
            path: settings.path, line: recorded.line, message: "the recording has expired at \(end)",
            fix: "record it again")
        problem.isError = false
        problems.append(problem)
    }

    private mutating func checkFill(_ answer: MockAnswerSettings, _ settings: MockSettings) {
        guard let body = answer.body, let node = bodies[ByteName(body)] else { return }
        for fill in answer.fill where !fill.pointer.leadsSomewhere(in: node) {
            problems.append(
                FileProblem(
                    path: settings.path, line: fill.line, message: "\(body) has nothing at \(fill.pointer)",
                    fix: "correct the place, or add it to the body"))
        }
    }
}
