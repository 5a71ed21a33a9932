package import FingerpostDocuments
package import FingerpostFiles
import FingerpostShared
package import Foundation

/// A folder of mocks. The listing, the settings and each body are read from disk only once.
///
/// Mock names are compared with the listing byte for byte, so that a mock whose name is written in the wrong letter
/// case is not found on any file system.
package final class MockFolder: Sendable {
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

    private struct Key: Hashable {
        let name: ByteName
        let variant: ByteName?
    }

    package let url: URL
    /// True for the top level of a bundle. Most files there can be files of the app, so only the files that a route's
    /// mock is named after count as mocks, and no message lists names.
    package let isTopLevel: Bool
    package let listing: MockListing
    private let mocks = Locked<[Key: FoundMock]>([:])
    private let pages = Locked<[ByteName: [(variant: String, route: MockRoute)]]>([:])
    private let knownScenarios = Locked<Result<MockScenarios, InvalidFile>?>(nil)
    private let bodies = Locked<[ByteName: Locked<MockBody?>]>([:])

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

    /// A mock's answer, without the body.
    ///
    /// - Parameter variant: a variant of the mock; nil for its default answer.
    package func mock(named name: String, variant: String? = nil) throws(Failure) -> FoundMock {
        let key = Key(name: ByteName(name), variant: variant.map { ByteName($0) })
        if let mock = mocks.withLock({ $0[key] }) { return mock }
        let mock = try MockSearch(self).mock(named: name, variant: variant)
        mocks.withLock { $0[key] = mock }
        return mock
    }

    /// The variants of a mock that answer only requests with a query of their own, such as the pages of a list.
    package func pages(of name: String) throws(Failure) -> [(variant: String, route: MockRoute)] {
        let key = ByteName(name)
        if let pages = pages.withLock({ $0[key] }) { return pages }
        var found: [(variant: String, route: MockRoute)] = []
        let variants = variants(of: name)
        // A variant without such a query inherits that of the default answer.
        let usual = !variants.isEmpty && contains(name) ? try mock(named: name).settings?.route : nil
        for variant in variants {
            guard let route = try mock(named: name, variant: variant).settings?.route, !route.query.isEmpty,
                route != usual
            else { continue }
            found.append((variant, route))
        }
        // The most exact query comes first.
        let sorted = found.ordered { $0.route.query.count > $1.route.query.count }
        pages.withLock { $0[key] = sorted }
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
    package func variants(of name: String) -> [String] {
        MockFileName.objection(to: name) == nil ? listing.files(of: name).variants.map(\.name) : []
    }

    /// True when the folder contains a mock with this name and the mock has a default answer.
    package func contains(_ name: String) -> Bool {
        guard MockFileName.objection(to: name) == nil else { return false }
        return listing.files(of: name).hasUsual
    }

    /// The problem of a folder inside this folder that could not be listed; nil when all mocks are known.
    package var unlistedFolder: FileProblem? {
        listing.closedFolders.first.map { entry in
            FileProblem(path: path(of: entry.path), message: "the folder cannot be read", fix: "make it readable")
        }
    }

    /// True when the folder contains a mock with this name, even if the mock has only variants.
    package func hasMock(named name: String) -> Bool { contains(name) || !variants(of: name).isEmpty }

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

    /// The body that belongs to a mock by its name or its settings; nil if it has none. Answers of a sequence can name
    /// other files.
    package func body(of mock: FoundMock) throws(Failure) -> MockBody? {
        guard let file = mock.file else { return nil }
        if let body = mock.readBody.withLock({ $0 }) { return body }
        let body = try body(file: file)
        mock.readBody.withLock { $0 = body }
        return body
    }

    /// The contents of a body file. Each file is read from disk only once.
    ///
    /// - Parameter file: a path relative to the folder, as returned by ``mock(named:variant:)``.
    package func body(file: String) throws(Failure) -> MockBody {
        let body = bodies.withLock { bodies in
            let name = ByteName(file)
            if let body = bodies[name] { return body }
            let body = Locked<MockBody?>(nil)
            bodies[name] = body
            return body
        }
        // If several callers request the same file at once, the first caller reads the file while the others wait.
        return try body.withLock { (body) throws(Failure) -> MockBody in
            if let body { return body }
            do throws(FileProblem) {
                let read = MockBody(
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
