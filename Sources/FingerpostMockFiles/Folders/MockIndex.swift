package import FingerpostDocuments
package import FingerpostFiles
import FingerpostShared
package import Foundation

/// The index of a folder of mocks: which mocks there are, by name and variant. The listing, the settings and each body
/// are read from disk only once, when they are first wanted.
///
/// Mock names are compared with the listing byte for byte, so that a mock whose name is written in the wrong letter
/// case is not found on any file system.
package final class MockIndex: Sendable {
    /// The mocks folder's name in a package or target.
    package static let name = FolderName.mocks

    /// The reason why a mock could not answer a call. A call that its mock cannot answer fails; the call is never sent
    /// to a server instead.
    package enum Failure: Error, Sendable {
        /// The requested name is not a valid mock name.
        case malformedName(objection: String)
        /// The folder contains no mock with the requested name. `nearest` contains up to three similar names, most
        /// similar first.
        case notFound(nearest: [String])
        /// The mock exists, but it does not have the requested variant. `nearest` contains all of the mock's variants,
        /// most similar first.
        case noVariant(nearest: [String])
        /// The mock's settings are invalid or name a missing body, or two files provide the same answer.
        case invalid([FileProblem])
        /// The mock's body cannot be read.
        case unreadable(FileProblem)
    }

    /// The names that a route's mock can have.
    private struct Names: Hashable {
        let name: ByteName
        var other: ByteName?
    }

    package let url: URL
    /// True for the top level of a bundle. Most files there can be files of the app, so only the files that a route's
    /// mock is named after count as mocks, and no message lists names.
    package let isTopLevel: Bool
    package let listing: MockListing
    private let stubs = Locked<[Names: MockStub]>([:])
    private let knownScenarios = Locked<Result<MockScenarios, InvalidFile>?>(nil)
    private let bodies = Locked<[ByteName: Locked<StubBody?>]>([:])

    /// - Throws: an error when the folder cannot be listed.
    package convenience init(url: URL, isTopLevel: Bool = false) throws(FileProblem) {
        self.init(url: url, isTopLevel: isTopLevel, entries: try MockListing.entries(below: url))
    }

    /// - Parameter entries: the contents of the folder.
    init(url: URL, isTopLevel: Bool = false, entries: [MockListing.Entry]) {
        self.url = url
        self.isTopLevel = isTopLevel
        listing = MockListing(entries)
    }

    /// The mock of a name, or else of another one; of the last name if none has files. It is looked up once.
    package func stub(named name: String, or other: String? = nil) -> MockStub {
        var names = Names(name: ByteName(name), other: nil)
        if let other { names.other = ByteName(other) }
        if let known = stubs.withLock({ $0[names] }) { return known }
        var stub = other == nil ? MockStub(name, in: listing) : self.stub(named: name)
        if let other, !stub.exists { stub = self.stub(named: other) }
        return stubs.withLock { stubs in
            // All calls share what the first one reads.
            if let first = stubs[names] { return first }
            stubs[names] = stub
            return stub
        }
    }

    /// A mock's answer, without the body.
    ///
    /// - Parameter variant: a variant of the mock; nil for its default answer.
    package func mock(named name: String, variant: String? = nil) throws(Failure) -> StubAnswer {
        try answer(of: stub(named: name), variant: variant)
    }

    /// As ``mock(named:variant:)``, for a mock that has been looked up.
    package func answer(of stub: MockStub, variant: String?) throws(Failure) -> StubAnswer {
        let key = variant.map { ByteName($0) }
        if let answer = stub.answers.withLock({ $0[key] }) { return answer }
        let answer = try read(variant, of: stub)
        stub.answers.withLock { $0[key] = answer }
        return answer
    }

    /// The variants of a mock that answer only requests with a query of their own, such as the pages of a list.
    package func pages(of stub: MockStub) throws(Failure) -> [(variant: String, route: MockRoute)] {
        if let pages = stub.pages.withLock({ $0 }) { return pages }
        var found: [(variant: String, route: MockRoute)] = []
        let variants = stub.variants
        // A variant without such a query inherits that of the default answer.
        let usual = !variants.isEmpty && stub.hasUsual ? try answer(of: stub, variant: nil).settings?.route : nil
        for variant in variants {
            guard let route = try answer(of: stub, variant: variant).settings?.route, !route.query.isEmpty,
                route != usual
            else { continue }
            found.append((variant, route))
        }
        // The most exact query comes first.
        let sorted = found.ordered { $0.route.query.count > $1.route.query.count }
        stub.pages.withLock { $0 = sorted }
        return sorted
    }

    /// The scenarios of the folder; none if it has no file `_scenarios.json`.
    ///
    /// - Throws: an error that lists all problems in the file.
    package func scenarios() throws(InvalidFile) -> MockScenarios {
        guard listing.hasScenarios else { return MockScenarios() }
        if let known = knownScenarios.withLock({ $0 }) { return try known.get() }
        let read = Result { () throws(InvalidFile) in try MockScenarios(of: self) }
        knownScenarios.withLock { $0 = read }
        return try read.get()
    }

    /// The paths of all files of a mock, relative to the folder: its own settings and bodies before those of its
    /// variants.
    package func files(of name: String) -> [String] {
        let mock = listing.files(of: name)
        let own = [mock.settings].compactMap { $0 } + mock.usual
        let files = own + mock.variants.flatMap { [$0.settings].compactMap { $0 } + $0.bodies }
        var seen: Set<ByteName> = []
        return files.map(\.path).filter { seen.insert(ByteName($0)).inserted }
    }

    /// The variants of a mock, in the order of their files.
    package func variants(of name: String) -> [String] { stub(named: name).variants }

    /// True when the folder contains a mock with this name and the mock has a default answer.
    package func contains(_ name: String) -> Bool { stub(named: name).hasUsual }

    /// True when the folder contains a mock with this name, even if the mock has only variants.
    package func hasMock(named name: String) -> Bool { stub(named: name).exists }

    /// The problem of a folder inside this folder that could not be listed; nil when all mocks are known.
    package var unlistedFolder: FileProblem? {
        listing.closedFolders.first.map { entry in
            FileProblem(path: path(of: entry.path), message: "the folder cannot be read", fix: "make it readable")
        }
    }

    /// The paths of all files, relative to the folder, in byte order.
    package var fileNames: [String] { listing.files }

    /// The paths of all files, and that of the scenarios, which are no mock.
    package var allFileNames: [String] { fileNames + (listing.hasScenarios ? [MockFileName.scenarios] : []) }

    /// The names of all mocks in the folder, in the order of their files; empty for the top level of a bundle.
    package var mockNames: [String] { isTopLevel ? [] : listing.mockNames }

    /// Finds the mock that a file belongs to: see ``MockListing/owner(of:named:)``.
    package func owner(of file: String, named names: Set<ByteName>) -> MockFileName {
        listing.owner(of: file, named: names)
    }

    // MARK: Contents

    /// What the names of a mock's files say, with the body that belongs to it by its name.
    package func whole(_ answer: StubAnswer) throws(Failure) -> StubResponse {
        if let whole = answer.whole.withLock({ $0 }) { return whole }
        var whole = answer.named
        if let file = whole.body { whole.data = try body(file: file) }
        answer.whole.withLock { [whole] in $0 = whole }
        return whole
    }

    /// The contents of a body file. Each file is read from disk only once.
    ///
    /// - Parameter file: a path relative to the folder, as returned by ``mock(named:variant:)``.
    package func body(file: String) throws(Failure) -> StubBody {
        let body = bodies.withLock { bodies in
            let name = ByteName(file)
            if let body = bodies[name] { return body }
            let body = Locked<StubBody?>(nil)
            bodies[name] = body
            return body
        }
        // If several callers request the same file at once, the first caller reads the file while the others wait.
        return try body.withLock { (body) throws(Failure) -> StubBody in
            if let body { return body }
            do throws(FileProblem) {
                let read = StubBody(
                    data: try contents(of: file), type: MediaType(fileName: file)?.rawValue, file: location(of: file))
                body = read
                return read
            } catch {
                throw .unreadable(error)
            }
        }
    }

    /// The bytes of a file.
    package func contents(of file: String, maximumSize: Int = .max) throws(FileProblem) -> Data {
        let opened = try RegularFile(location(ofFile: file), path: self.path(of: file))
        guard opened.size <= maximumSize else {
            throw FileProblem(
                path: path(of: file),
                message: "the file has \(opened.size) bytes; a settings file can have at most \(maximumSize)",
                fix: "move the content into a body file")
        }
        return try opened.mappedContents()
    }

    /// The bytes of a file of settings or scenarios, unless it is too large.
    func settings(in file: String) throws(FileProblem) -> Data { try contents(of: file, maximumSize: 1_000_000) }

    /// The URL of a file. A link is followed if its target is in the mocks folder.
    ///
    /// - Throws: an error for a link that is broken, that leads outside the mocks folder, or whose target is a folder.
    package func location(ofFile file: String) throws(FileProblem) -> URL {
        let location = location(of: file)
        guard listing[file]?.kind == .link else { return location }
        guard FileManager.default.fileExists(atPath: location.path) else {
            throw FileProblem(
                path: path(of: file), message: "this is a link to a file that does not exist",
                fix: "correct or remove it")
        }
        let target = location.resolvingSymlinksInPath()
        guard Self.isInside(target, url.resolvingSymlinksInPath()) else {
            throw FileProblem(
                path: path(of: file), message: "this link leads outside the folder", fix: "replace it with the file")
        }
        if Self.isInside(location.deletingLastPathComponent().resolvingSymlinksInPath(), target) {
            throw FileProblem(
                path: path(of: file), message: "this is a link to a folder that contains it", fix: "remove it")
        }
        if location.isFolder {
            throw FileProblem(
                path: path(of: file), message: "this is a link to a folder, which is not followed",
                fix: "replace it with the folder")
        }
        return target
    }

    /// True for a file or folder in another folder, and for that folder itself.
    private static func isInside(_ url: URL, _ folder: URL) -> Bool {
        "\(url.path)/".begins(with: "\(folder.path)/")
    }

    package func path(of file: String) -> String { FilePath.display(location(of: file)) }

    private func location(of file: String) -> URL { url.appendingPathComponent(file, isDirectory: false) }
}
