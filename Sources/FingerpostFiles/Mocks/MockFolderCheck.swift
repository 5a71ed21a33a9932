package import Foundation

/// Finds what is wrong in a folder of mocks as far as files alone tell it: names, links, settings and JSON.
package struct MockFolderCheck {
    private let folder: MockFolder
    private let listing: MockListing
    private var problems: [FileProblem] = []

    /// Every problem once, in the order of the files.
    ///
    /// - Parameter now: when recordings that have expired are told.
    package static func problems(of folder: MockFolder, at now: Date = Date()) -> [FileProblem] {
        var check = MockFolderCheck(folder)
        let entries = check.listing.sorted
        for entry in entries { check.checkEntry(entry) }
        check.checkSpellings(entries)
        for file in check.listing.files { check.checkOwner(of: file) }
        var told: Set<FileProblem> = []
        return (check.problems + MockAnswerCheck.problems(of: folder, at: now))
            .filter { told.insert($0).inserted }
            .sorted { ($0.path, $0.line ?? 0, $0.column ?? 0) < ($1.path, $1.line ?? 0, $1.column ?? 0) }
    }

    private init(_ folder: MockFolder) {
        self.folder = folder
        listing = folder.listing
    }

    private mutating func report(_ path: String, _ message: String, fix: String, isError: Bool = true) {
        var problem = FileProblem(path: folder.path(of: path), message: message, fix: fix)
        problem.isError = isError
        problems.append(problem)
    }

    // MARK: Entries

    private mutating func checkEntry(_ entry: MockListing.Entry) {
        switch entry.kind {
        case .file: break
        case .folder:
            if entry.path.ends(with: MockFileName.bodySuffix) {
                report(
                    entry.path, "this is a folder that is named like a mock", fix: "rename it without .json",
                    isError: false)
            }
        case .closedFolder:
            report(entry.path, "the folder cannot be read", fix: "give yourself the right to read it")
        case .misnamed:
            report(entry.path, "no route can name this mock: its name is not UTF-8", fix: "rename it")
        case .other:
            report(entry.path, "this is no regular file", fix: "put the file in its place")
        case .link:
            do throws(FileProblem) { _ = try folder.location(ofFile: entry.path) } catch { problems.append(error) }
        }
    }

    /// Names that are one on some disks.
    private mutating func checkSpellings(_ entries: [MockListing.Entry]) {
        var folded: [String: String] = [:]
        for entry in entries where entry.kind != .misnamed {
            guard let other = folded.updateValue(entry.path, forKey: entry.path.lowercased()) else { continue }
            // What is in a folder differs with it.
            if !MockFileName.folder(of: entry.path).isSame(as: MockFileName.folder(of: other)) { continue }
            let difference =
                entry.path == other
                ? "are the same letters in other bytes, which some disks do not keep apart"
                : "differ by letter case alone, which some disks do not keep apart"
            report(entry.path, "its name and \"\(other)\" \(difference)", fix: "rename one of them")
        }
    }

    // MARK: Names

    private mutating func checkOwner(of file: String) {
        let owner = listing.owner(of: file)
        if let objection = MockFileName.objection(to: owner.mock) {
            return report(file, "no route can name this mock: \(objection)", fix: "rename it")
        }
        if owner.variant == nil, !file.ends(with: MockFileName.bodySuffix),
            listing.contains(file + MockFileName.bodySuffix)
        {
            let name = file + MockFileName.bodySuffix
            return report(
                file, "no route can name this mock: \"\(file)\" is \(name)", fix: "rename one of them", isError: false)
        }
        let files = listing.files(of: owner.mock)
        guard files.has(file, as: owner.variant) else {
            return report(
                file, "no route can name this mock: .json stands at the end of a name alone", fix: "rename it")
        }
        guard let variant = owner.variant else { return }
        let message = "this is the variant \"\(variant)\" of \"\(owner.mock)\", which"
        guard let usual = (files.usual.first ?? files.settings)?.path else {
            return report(
                file, "\(message) has no usual answer", fix: "add \(owner.mock).json, or rename it", isError: false)
        }
        let other = listing.owner(of: usual)
        if let otherVariant = other.variant {
            report(
                file, "\(message) is itself the variant \"\(otherVariant)\" of \"\(other.mock)\"",
                fix: "write one of the dots as -")
        }
    }
}
