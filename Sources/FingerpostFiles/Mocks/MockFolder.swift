package import Foundation

/// A folder of mock bodies. The listing and each body are read from disk once.
///
/// Names are compared byte for byte with the listing, so that a slip in letter case fails on every disk alike.
package final class MockFolder: Sendable {
    /// The name of the folder that is looked for.
    package static let name = FolderName.mocks

    /// The body of a mock, and the file it came from.
    package struct Body: Sendable {
        package let file: URL
        /// The file's extension, without the dot.
        package let type: String
        package let data: Data
    }

    /// Why a mock could not be served. None of these is ever answered with a live call.
    package enum Failure: Error, Sendable {
        case malformedName(objection: String)
        case notFound(nearest: [String])
        /// There is such a mock, but no such variant of it: all that it has, the nearest first.
        case noVariant(nearest: [String])
        /// The settings are wrong, a body is not where they say it is, or two files answer alike.
        case invalid([FileProblem])
        case unreadable(FileProblem)
    }

    private struct Key: Hashable {
        let name: ByteName
        let variant: ByteName?
    }

    package let url: URL
    let listing: MockListing
    private let mocks = Locked<[Key: ResolvedMock]>([:])
    private let answers = Locked<[Key: (mock: ResolvedMock, body: Body?)]>([:])
    private let bodies = Locked<[ByteName: Locked<Body?>]>([:])

    /// - Throws: a problem when the folder cannot be listed.
    package convenience init(url: URL) throws(FileProblem) {
        self.init(url: url, entries: try MockListing.entries(below: url))
    }

    /// - Parameter entries: what is in the folder.
    init(url: URL, entries: [MockListing.Entry]) {
        self.url = url
        listing = MockListing(entries)
    }

    /// What answers for a name.
    ///
    /// - Parameter variant: a variant of it; nil for its usual answer.
    package func mock(named name: String, variant: String? = nil) throws(Failure) -> ResolvedMock {
        let key = Key(name: ByteName(name), variant: variant.map { ByteName($0) })
        if let mock = mocks.withLock({ $0[key] }) { return mock }
        let mock = try MockSearch(self).mock(named: name, variant: variant)
        mocks.withLock { $0[key] = mock }
        return mock
    }

    /// What answers for a name, and its body where there are no settings, which may say another.
    ///
    /// - Parameter variant: a variant of it; nil for its usual answer.
    package func answer(named name: String, variant: String? = nil) throws(Failure) -> (mock: ResolvedMock, body: Body?)
    {
        let key = Key(name: ByteName(name), variant: variant.map { ByteName($0) })
        if let answer = answers.withLock({ $0[key] }) { return answer }
        let mock = try mock(named: name, variant: variant)
        var body: Body?
        if mock.settings == nil, let file = mock.file { body = try self.body(file: file) }
        answers.withLock { $0[key] = (mock, body) }
        return (mock, body)
    }

    /// The variants of a mock, in the order of their files.
    package func variants(of name: String) -> [String] {
        MockFileName.objection(to: name) == nil ? listing.files(of: name).variants.map(\.name) : []
    }

    /// True when a file answers for the name.
    package func contains(_ name: String) -> Bool {
        guard MockFileName.objection(to: name) == nil else { return false }
        return listing.files(of: name).hasUsual
    }

    /// Every file, by its path below the folder, in alphabetical order.
    package var fileNames: [String] { listing.files }

    /// The names by which routes can name the mocks.
    package var mockNames: [String] { listing.mockNames }

    /// The mocks that have a usual answer, each with the file that it is known by.
    package var mockFiles: [(name: String, file: String)] { listing.mocks }

    /// Which mock a file is for: see ``MockListing/owner(of:named:)``.
    package func owner(of file: String, named names: Set<ByteName>) -> MockFileName {
        listing.owner(of: file, named: names)
    }

    // MARK: Contents

    /// The body in a file, read from disk once.
    ///
    /// - Parameter file: a path below the folder, as ``mock(named:variant:)`` gave it.
    package func body(file: String) throws(Failure) -> Body {
        let body = bodies.withLock { bodies in
            let name = ByteName(file)
            if let body = bodies[name] { return body }
            let body = Locked<Body?>(nil)
            bodies[name] = body
            return body
        }
        // Those who ask for the same file wait for the one who reads it.
        return try body.withLock { (body) throws(Failure) -> Body in
            if let body { return body }
            do throws(FileProblem) {
                let read = Body(file: location(of: file), type: Self.type(of: file), data: try contents(of: file))
                body = read
                return read
            } catch {
                throw .unreadable(error)
            }
        }
    }

    /// The bytes of a file.
    func contents(of file: String, maximumSize: Int = .max) throws(FileProblem) -> Data {
        let path = path(of: file)
        return try RegularFile.contents(of: location(ofFile: file), path: path) { size throws(FileProblem) in
            guard size <= maximumSize else {
                throw FileProblem(
                    path: path, message: "the file has \(size) bytes; more than \(maximumSize) are no settings",
                    fix: "move the content into a body file")
            }
        }
    }

    /// Where a file is. A link is followed where it stays in the folder.
    func location(ofFile file: String) throws(FileProblem) -> URL {
        let location = location(of: file)
        guard listing[file]?.kind == .link else { return location }
        guard FileManager.default.fileExists(atPath: location.path) else {
            throw FileProblem(
                path: path(of: file), message: "this is a link to a file that does not exist",
                fix: "correct or remove it")
        }
        let target = location.resolvingSymlinksInPath()
        guard target.path.begins(with: url.resolvingSymlinksInPath().path + "/") else {
            throw FileProblem(
                path: path(of: file), message: "this link leads outside the folder", fix: "replace it with the file")
        }
        if location.isFolder {
            throw FileProblem(
                path: path(of: file), message: "this is a link to a folder, whose files are not found",
                fix: "replace it with the folder")
        }
        return target
    }

    func path(of file: String) -> String { FilePath.display(location(of: file)) }

    private func location(of file: String) -> URL { url.appendingPathComponent(file, isDirectory: false) }

    private static func type(of file: String) -> String {
        let name = file.parts(between: "/").last ?? ""
        let parts = String(name).parts(between: ".")
        return parts.count > 1 ? String(parts.last ?? "") : ""
    }
}
