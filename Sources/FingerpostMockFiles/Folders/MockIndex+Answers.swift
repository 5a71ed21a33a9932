package import FingerpostDocuments
package import FingerpostFiles
import Foundation

/// Reads the answers of a mock from its files.
extension MockIndex {
    func read(_ variant: String?, of stub: MockStub) throws(Failure) -> StubAnswer {
        if let objection = stub.objection { throw .malformedName(objection: objection) }
        let files = stub.files
        if files.isEmpty { throw .notFound(nearest: nearest(to: stub.name, in: mockNames)) }
        do throws(InvalidFile) {
            if let variant {
                if let found = files.variant(variant) {
                    return try answer(found, of: files, usualSettings: usualSettings(of: files))
                }
            } else if files.hasUsual {
                return try usual(files)
            }
        } catch {
            throw .invalid(error.problems)
        }
        let names = files.variants.map(\.name)
        let nearest = NearestName.all(variant ?? "", in: names)
        throw .noVariant(nearest: nearest + names.filter { !nearest.contains($0) })
    }

    /// Up to three of these mock names that are similar to `name`, or that differ from `name` only in the folder or by
    /// the extension of the file.
    package func nearest(to name: String, in names: [String]) -> [String] {
        let last = name.parts(between: "/").last.map(String.init) ?? ""
        let elsewhere = names.filter {
            let other = $0.parts(between: "/").last ?? ""
            return last.isSame(as: other) || other.begins(with: last + ".")
        }
        let near = NearestName.all(name, in: names)
        return Array((near + elsewhere.filter { !near.contains($0) }).prefix(3))
    }

    /// The settings of a mock's default answer; nil if it has none.
    package func usualSettings(of files: MockFiles) throws(InvalidFile) -> MockSettings? {
        try files.settings.map(settings)
    }

    /// A mock's default answer, for calls without a variant.
    package func usual(_ files: MockFiles) throws(InvalidFile) -> StubAnswer {
        let settings = try usualSettings(of: files)
        let body = try only(files.usual, "the mock \"\(files.name)\"")
        let mock = StubAnswer(
            name: files.name, variant: nil, file: settings?.answer.body ?? body?.path, status: body?.saidStatus ?? 200,
            settings: settings)
        try check(mock)
        return mock
    }

    /// A variant's answer, made from the variant's own body and settings. A variant without a body uses the mock's
    /// default body. From the default settings, a variant inherits only the route.
    ///
    /// - Parameter usualSettings: the settings of the default answer, which all variants of the mock share.
    package func answer(
        _ variant: MockFiles.Variant, of files: MockFiles, usualSettings: MockSettings?
    ) throws(InvalidFile) -> StubAnswer {
        var settings = try variant.settings.map(settings)
        if let route = usualSettings?.route, settings?.route == nil {
            settings = settings ?? MockSettings(path: usualSettings?.path ?? "")
            settings?.route = route
        }
        let body = try only(variant.bodies, "the variant \"\(variant.name)\" of \"\(files.name)\"")
        let usualBody = usualSettings?.answer.body ?? files.usual.first?.path
        let mock = StubAnswer(
            name: files.name, variant: variant.name,
            file: settings?.answer.body ?? body?.path ?? usualBody,
            status: body?.saidStatus ?? MockFileName.status(variant.name) ?? 200, settings: settings)
        try check(mock)
        return mock
    }

    /// The body in another folder that has the name of a mock without a body, and where the mock's settings go.
    private func moved(_ mock: StubAnswer) -> (body: String, settings: String)? {
        guard mock.variant == nil, let last = mock.name.parts(between: "/").last,
            let other = mockNames.first(where: { name in
                last.isSame(as: name.parts(between: "/").last ?? "") && !name.isSame(as: mock.name)
                    && listing.files(of: name).settings == nil
            }),
            let body = listing.files(of: other).usual.first
        else { return nil }
        return (body.path, body.settings.path)
    }

    /// What settings without a body were probably meant for, and what to do then.
    private func meant(by mock: StubAnswer) -> (hint: String, move: String) {
        if let moved = moved(mock) { return ("; \(moved.body) has this name", "move them to \(moved.settings), or ") }
        return (NearestName.hint(mock.name, in: mockNames.filter { !$0.isSame(as: mock.name) }), "")
    }

    private func only(_ bodies: [MockFileName], _ owner: String) throws(InvalidFile) -> MockFileName? {
        guard let first = bodies.first, bodies.count > 1 else { return bodies.first }
        let names = bodies.map(\.path).joined(separator: " and ")
        throw InvalidFile([
            FileProblem(
                path: path(of: first.path), message: "\(owner) has more than one body: \(names)",
                fix: "keep one of them")
        ])
    }

    private func settings(in name: MockFileName) throws(InvalidFile) -> MockSettings {
        let file = name.path
        return try MockSettingsReader.read(file, path: path(of: file), listing: listing) {
            () throws(FileProblem) in try self.settings(in: file)
        }
    }

    /// Checks that a mock has a body if its settings need a body.
    private func check(_ mock: StubAnswer) throws(InvalidFile) {
        guard mock.file == nil, let settings = mock.settings else { return }
        let answer = settings.answer
        if settings.sequence.isEmpty, answer.status == nil, answer.failure == nil {
            let (hint, move) = listing.hints.look { meant(by: mock) } ?? ("", "")
            throw InvalidFile([
                FileProblem(
                    path: settings.path, message: "these settings have no body" + hint,
                    fix: move + "add \(MockFileName.newFile(of: mock.name)), or set \"body\", \"status\" or "
                        + "\"failure\"")
            ])
        }
        let problems = settings.answers.filter { $0.body == nil }.compactMap { answer -> FileProblem? in
            let isPaced = answer.pace != nil && settings.sequence.isEmpty
            let key =
                answer.failure?.needsBody == true
                ? "failure" : isPaced ? "pace" : nil
            return key.map {
                FileProblem(
                    path: settings.path, line: answer.line, message: "\"\($0)\" needs a body, but there is none",
                    fix: "set \"body\", or remove \"\($0)\"")
            }
        }
        if !problems.isEmpty { throw InvalidFile(problems) }
    }
}

extension NearestName {
    /// A part of a message that lists several similar names, as ``all(_:in:limit:)`` returns them; empty if there are
    /// none.
    package static func list(_ nearest: [String]) -> String {
        nearest.isEmpty ? "" : "; similar: " + nearest.map(\.quoted).joined(separator: ", ")
    }
}
