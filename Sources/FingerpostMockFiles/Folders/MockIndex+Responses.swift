package import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Reads the responses of a mock from its files.
extension MockIndex {
    /// Returns a mock's response without the body.
    ///
    /// - Parameter variant: a variant of the mock. Nil for the default response.
    package func mock(named name: String, variant: String? = nil) throws(Failure) -> StubDefinition {
        try definition(of: stub(named: name), variant: variant)
    }

    /// Does the same as ``mock(named:variant:)`` for a mock that has already been found.
    package func definition(of stub: MockStub, variant: String?) throws(Failure) -> StubDefinition {
        let key = variant.map { ByteName($0) }
        if let known = stub.known.withLock({ $0.definitions[key] }) { return known }
        if let objection = stub.objection { throw .malformedName(objection: objection) }
        if !stub.exists { throw .notFound(nearest: nearest(to: stub.name, in: mockNames)) }
        guard let files = stub[variant] else {
            let names = stub.variantNames
            let nearest = NearestName.all(variant ?? "", in: names)
            throw .noVariant(nearest: nearest + names.filter { !nearest.contains($0) })
        }
        let read: StubDefinition?
        do throws(InvalidFile) {
            // Settings are not a default response if they contain only a `for` entry for the variants.
            let isForVariants = variant == nil && !stub.variants.isEmpty && files.bodies.isEmpty
            let settings = isForVariants ? try usualSettings(of: stub) : nil
            read = settings?.namesRequestsAlone == true ? nil : try definition(files, of: stub)
        } catch {
            throw .invalid(error.problems)
        }
        guard let read else { throw .noVariant(nearest: stub.variantNames) }
        stub.known.withLock { $0.definitions[key] = read }
        return read
    }

    /// Returns the variants that answer only requests with a certain query, such as the pages of a list.
    package func pages(of stub: MockStub) throws(Failure) -> MockPages {
        if let pages = stub.known.withLock({ $0.pages }) { return pages }
        var found: [MockPages.Page] = []
        let variants = stub.variantNames
        // A variant without a query inherits the `for` entry of the default response.
        let usual: MockRoute?
        do throws(InvalidFile) { usual = variants.isEmpty ? nil : try usualSettings(of: stub)?.route } catch {
            throw .invalid(error.problems)
        }
        for variant in variants {
            guard let route = try definition(of: stub, variant: variant).settings?.route, !route.query.isEmpty,
                route != usual
            else { continue }
            found.append((variant, route))
        }
        let pages = MockPages(found)
        stub.known.withLock { $0.pages = pages }
        return pages
    }

    /// Returns the names of the folder's scenarios, in the order of the file `_scenarios.json`. Returns no names if the
    /// file does not exist.
    ///
    /// - Throws: an error that lists all problems in the file.
    package func scenarioNames() throws(InvalidFile) -> [String] { try scenarios().names }

    /// Returns the changes of a scenario, or nil if the folder has no scenario with this name.
    ///
    /// - Throws: an error that lists all problems in the file.
    package func changes(of scenario: String) throws(InvalidFile) -> MockChanges? { try scenarios()[scenario] }

    private func scenarios() throws(InvalidFile) -> MockScenarios {
        guard hasScenarios else { return MockScenarios() }
        if let known = knownScenarios.withLock({ $0 }) { return try known.get() }
        let read = Result { () throws(InvalidFile) in try MockScenarios(of: self) }
        knownScenarios.withLock { $0 = read }
        return try read.get()
    }

    /// Returns the response that the names of a mock's files describe, together with the body.
    package func whole(_ definition: StubDefinition) throws(Failure) -> StubResponse {
        if let whole = definition.whole.withLock({ $0 }) { return whole }
        var whole = definition.named
        if let file = whole.body { whole.data = try body(file: file) }
        definition.whole.withLock { [whole] in $0 = whole }
        return whole
    }

    /// Returns up to three of the given names that are similar to a name. A name that differs only in the folder or the
    /// extension is similar too.
    package func nearest(to name: String, in names: [String]) -> [String] {
        let last = name.parts(between: "/").last.map(String.init) ?? ""
        let elsewhere = names.filter {
            let other = $0.parts(between: "/").last ?? ""
            return last.isSame(as: other) || other.begins(with: last + ".")
        }
        let near = NearestName.all(name, in: names)
        return Array((near + elsewhere.filter { !near.contains($0) }).prefix(3))
    }

    // MARK: Files

    /// Reads a response from its own bodies and settings. A variant without a body uses the default body. A variant
    /// inherits the route from the default settings, but no other setting.
    private func definition(_ files: MockStub.Files, of stub: MockStub) throws(InvalidFile) -> StubDefinition {
        let usual = try usualSettings(of: stub)
        let (owner, usualBody): (String, String?)
        var settings = usual
        if let variant = files.variant {
            settings = try files.settings.map(self.settings)
            if let route = usual?.route, settings?.route == nil {
                settings = settings ?? MockSettings(path: usual?.path ?? "")
                settings?.route = route
            }
            owner = "the variant \"\(variant)\" of \"\(stub.stem)\""
            usualBody = usual?.response.body ?? stub.usual.bodies.first?.path
        } else {
            (owner, usualBody) = ("the mock \"\(stub.stem)\"", nil)
        }
        let body = try only(files.bodies, owner)
        let definition = StubDefinition(
            name: stub.stem, variant: files.variant, file: settings?.response.body ?? body?.path ?? usualBody,
            status: body?.saidStatus ?? files.variant.flatMap { MockFileName.status($0) } ?? 200, settings: settings)
        try check(definition)
        return definition
    }

    /// Returns the settings of a mock's default response, or nil if there are no settings.
    private func usualSettings(of stub: MockStub) throws(InvalidFile) -> MockSettings? {
        if let known = stub.known.withLock({ $0.settings }) { return try known.get().first }
        let read = Result { () throws(InvalidFile) in
            guard let file = stub.usual.settings else { return [MockSettings]() }
            return [try settings(in: file)]
        }
        stub.known.withLock { $0.settings = read }
        return try read.get().first
    }

    private func settings(in name: MockFileName) throws(InvalidFile) -> MockSettings {
        let file = name.path
        return try MockSettingsReader.read(file, in: self) { () throws(FileProblem) in try self.settings(in: file) }
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

    /// If the settings of a mock need a body, checks that the mock has one.
    private func check(_ mock: StubDefinition) throws(InvalidFile) {
        guard mock.file == nil, let settings = mock.settings else { return }
        let isOne = settings.sequence.isEmpty
        if isOne, settings.response.status == nil, settings.response.failure == nil {
            let (hint, move) = hints.look { meant(by: mock) } ?? ("", "")
            throw InvalidFile([
                FileProblem(
                    path: settings.path, message: "these settings have no body" + hint,
                    fix: move + "add \(MockFileName.newFile(of: mock.name)), or set \"body\", \"status\" or "
                        + "\"failure\"")
            ])
        }
        let problems = settings.responses.filter { $0.body == nil }.compactMap { response -> FileProblem? in
            let key = response.failure?.needsBody == true ? "failure" : response.pace != nil && isOne ? "pace" : nil
            return key.map {
                FileProblem(
                    path: settings.path, line: response.line, message: "\"\($0)\" needs a body, but there is none",
                    fix: "set \"body\", or remove \"\($0)\"")
            }
        }
        if !problems.isEmpty { throw InvalidFile(problems) }
    }

    /// If settings have no body, guesses which mock the settings belong to. Returns a hint at this mock, and the advice
    /// to move the settings.
    private func meant(by mock: StubDefinition) -> (hint: String, move: String) {
        let last = mock.name.parts(between: "/").last ?? ""
        for name in mockNames where mock.variant == nil && !name.isSame(as: mock.name) {
            // A body in another folder may have the same name as this mock.
            guard last.isSame(as: name.parts(between: "/").last ?? "") else { continue }
            let other = stub(named: name).usual
            guard other.settings == nil, let body = other.bodies.first else { continue }
            return ("; \(body.path) has this name", "move them to \(body.settings.path), or ")
        }
        return (NearestName.hint(mock.name, in: mockNames.filter { !$0.isSame(as: mock.name) }), "")
    }
}
