package import Foundation

/// A folder of mock bodies. The listing and each body are read from disk once.
///
/// Names are compared byte for byte with the listing, so that a slip in letter case fails on every disk alike.
package final class MockFolder: Sendable {
    /// The name of the folder that is looked for.
    package static let name = "Mocks"

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
        /// There is such a mock, but no such variant of it.
        case noVariant(nearest: [String])
        /// The settings are wrong, a body is not where they say it is, or two files answer alike.
        case invalid([FileProblem])
        case unreadable(FileProblem)
    }

    package let url: URL
    private let names: Set<String>
    private let bodies = Locked<[String: Body]>([:])

    package init(url: URL) throws(FileProblem) {
        self.url = url
        guard let listing = FileManager.default.enumerator(atPath: url.path) else {
            throw FileProblem(path: FilePath.display(url), message: "the folder of the mocks cannot be read")
        }
        let listed = Set(listing.compactMap { $0 as? String })
        // Folders are listed too, and are no bodies: `users` is none when there is a users/show.json.
        names = listed.subtracting(listed.lazy.compactMap(Self.parent))
    }

    /// What stands before the last `/`. Foundation's own ends the process over some names outside ASCII.
    private static func parent(of path: String) -> String? {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
    }

    /// What answers for a name.
    ///
    /// - Parameter variant: a variant of it; nil for its usual answer.
    package func mock(named name: String, variant: String? = nil) throws(Failure) -> Mock {
        if let objection = MockFileName.objection(to: name) { throw .malformedName(objection: objection) }
        guard let file = file(named: name) else {
            throw .notFound(nearest: NearestName.all(name, in: mockNames))
        }
        return Mock(name: name, variant: variant, file: file)
    }

    /// The body in a file, read from disk once.
    ///
    /// - Parameter file: a path below the folder, as ``mock(named:variant:)`` gave it.
    package func body(file: String) throws(Failure) -> Body {
        if let body = bodies.withLock({ $0[file] }) { return body }
        let body = try read(file)
        bodies.withLock { $0[file] = body }
        return body
    }

    /// True when a file answers for the name.
    package func contains(_ name: String) -> Bool {
        MockFileName.objection(to: name) == nil && file(named: name) != nil
    }

    private func file(named name: String) -> String? {
        ["\(name).json", name].first(where: names.contains)
    }

    private func read(_ file: String) throws(Failure) -> Body {
        let url = url.appendingPathComponent(file)
        do {
            return Body(file: url, type: url.pathExtension, data: try Data(contentsOf: url))
        } catch {
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            let message =
                if isDirectory.boolValue {
                    "this is a folder, not a file"
                } else if !exists {
                    "this is a link to a file that does not exist"
                } else {
                    "the file cannot be read: \(error.localizedDescription)"
                }
            throw .unreadable(FileProblem(path: FilePath.display(url), message: message))
        }
    }

    /// Every file, by its path below the folder, in alphabetical order.
    package var fileNames: [String] { names.sorted() }

    /// The names by which routes can name the files.
    package var mockNames: [String] {
        names.filter { !MockFileName.isHidden($0) }.map(MockFileName.mockName).sorted()
    }
}
