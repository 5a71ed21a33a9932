package import Foundation

/// One `<Target>-Env.plist` or `<Target>-Env.json`.
package struct EnvironmentFile: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case plist, json
    }

    /// What comes before the format's extension in the names of environment files.
    package static let suffix = "-Env"
    /// What comes there in the names of the files that are not committed.
    package static let secretsSuffix = "-Secrets"
    /// In bytes. What is larger is no configuration.
    static let maximumSize = 5_000_000

    package let target: String
    package let url: URL
    package let format: Format
    /// False for a file of secrets, which stays out of the repository, and for one of any other name.
    package let isCommitted: Bool

    /// nil when the name is not that of an environment file.
    package init?(url: URL) {
        let stem = url.deletingPathExtension().lastPathComponent
        guard let format = Format(rawValue: url.pathExtension),
            let suffix = [Self.suffix, Self.secretsSuffix].first(where: stem.hasSuffix)
        else { return nil }
        self.init(
            url: url, format: format, target: String(stem.dropLast(suffix.count)),
            isCommitted: suffix == Self.suffix)
    }

    private init(url: URL, format: Format, target: String, isCommitted: Bool) {
        self.isCommitted = isCommitted
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
        self.init(
            url: url, format: format, target: url.deletingPathExtension().lastPathComponent,
            isCommitted: false)
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
                at: document.root.offset, "the file contains \(document.root.value.kind), not a dictionary of keys",
                fix: format == .json ? "write { \"key\": \"value\" }" : "make <dict> the root of the property list")
        }
        return document
    }

    /// The bytes of a regular file that is not too large.
    static func contents(of url: URL, path: String) throws(FileProblem) -> Data {
        try RegularFile.contents(of: url, path: path) { size throws(FileProblem) in
            guard size <= maximumSize else {
                throw FileProblem(
                    path: path, message: "the file has \(size) bytes; more than \(maximumSize) are no configuration",
                    fix: "keep the values that differ between servers, and move the data elsewhere")
            }
        }
    }
}
