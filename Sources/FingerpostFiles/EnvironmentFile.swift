package import Foundation

/// One `<Target>-Env.plist` or `<Target>-Env.json`.
package struct EnvironmentFile: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case plist, json
    }

    /// What comes before the format's extension in the names of environment files.
    package static let suffix = "-Env"

    package let target: String
    package let url: URL
    package let format: Format

    /// nil when the name is not that of an environment file.
    package init?(url: URL) {
        let stem = url.deletingPathExtension().lastPathComponent
        guard let format = Format(rawValue: url.pathExtension), stem.hasSuffix(Self.suffix) else { return nil }
        self.init(url: url, format: format, target: String(stem.dropLast(Self.suffix.count)))
    }

    private init(url: URL, format: Format, target: String) {
        self.target = target
        self.url = url
        self.format = format
    }

    /// A file whose name does not follow the convention: the target is the name without its extension.
    package init(anyName url: URL) throws(FileProblem) {
        if let file = EnvironmentFile(url: url) {
            self = file
            return
        }
        guard let format = Format(rawValue: url.pathExtension) else {
            throw FileProblem(
                path: FilePath.display(url), message: "an environment file ends in .plist or .json", fix: "rename it")
        }
        self.init(url: url, format: format, target: url.deletingPathExtension().lastPathComponent)
    }

    /// Reads the file; its root is a dictionary.
    package func read() throws(FileProblem) -> Document {
        let path = FilePath.display(url)
        let data = try Self.contents(of: url, path: path)
        let document =
            switch format {
            case .plist: try Document(propertyList: data, path: path)
            case .json: try Document(json: data, path: path)
            }
        guard document.root.entries != nil else {
            throw document.problem(
                at: document.root.offset, "the file holds \(document.root.value.kind), not a dictionary of keys",
                fix: format == .json ? "write { \"key\": \"value\" }" : "make <dict> the root of the property list")
        }
        return document
    }

    private static func contents(of url: URL, path: String) throws(FileProblem) -> Data {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw FileProblem(path: path, message: "there is no such file")
        }
        guard !isDirectory.boolValue else {
            throw FileProblem(path: path, message: "this is a folder, not a file", fix: "put the file in its place")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw FileProblem(path: path, message: "the file cannot be read: \(error.localizedDescription)")
        }
    }
}
