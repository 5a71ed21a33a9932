import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The values of an Info.plist that decide which environment a process selects.
struct InfoPlist {
    /// nil for a bundle or an executable without the file.
    private let document: Document?

    /// The values of an executable outside a bundle, which has no such file.
    init() {
        document = nil
    }

    /// - Parameter file: nil for a bundle without the file.
    init(_ file: URL?, path: String) throws(FileProblem) {
        guard let file else {
            document = nil
            return
        }
        let opened = try RegularFile(file, path: path)
        guard opened.size <= 5_000_000 else {
            throw FileProblem(path: path, message: "the file has \(opened.size) bytes, so it is not an Info.plist")
        }
        document = try BuildParser.read(opened.contents(), path: path, .file)
    }

    /// The file of a bundle; nil if it has none.
    static func file(in bundle: URL) -> URL? {
        ["Contents/Info.plist", "Info.plist", "Resources/Info.plist"].map(bundle.appendingPathComponent)
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    subscript(key: String) -> Node? { document?.root[key] }

    func text(_ key: String) -> String? { self[key]?.string }

    /// The variables that the system sets for a Mac app that is opened in Finder or the Dock.
    var variables: [String: String] {
        var variables: [String: String] = [:]
        for entry in self["LSEnvironment"]?.entries ?? [] { variables[entry.key] = entry.node.string }
        return variables
    }

    /// A problem with the value of a key.
    func problem(_ key: String, _ message: String, fix: String) -> FileProblem {
        document?.problem(at: self[key]?.offset, message, fix: fix) ?? FileProblem(message, fix: fix)
    }
}
