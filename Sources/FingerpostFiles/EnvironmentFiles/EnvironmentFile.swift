package import Foundation

/// An environment file: `<Target>-Env.plist`, `<Target>-Env.json`, or the matching `<Target>-Secrets` file.
package struct EnvironmentFile: Sendable {
    /// The extensions of environment files, which name their formats.
    package static let formats = ["plist", "json"]
    /// The suffix of a committed environment file's name, before the extension.
    package static let suffix = "-Env"
    /// The start of the file name for `Base`.
    static let ofBase = EnvironmentFolder.base + suffix
    /// The suffix of a secrets file's name, before the extension. Secrets files are not committed.
    package static let secretsSuffix = "-Secrets"
    /// The maximum size of an environment file, in bytes. A larger file cannot be a configuration file and is not read.
    static let maximumSize = 5_000_000

    /// The name of the environment: `Staging` for `Staging-Env.json`.
    package let target: String
    package let url: URL
    /// True for `-Env` files; false for secrets files and for files with any other name, which stay out of the
    /// repository.
    package let isCommitted: Bool

    /// The environment files and the secrets files in a folder, sorted by name.
    ///
    /// - Throws: an error when the folder cannot be listed.
    static func files(in folder: URL) throws(FileProblem) -> [EnvironmentFile] {
        try folder.fileNames().inOrder.compactMap { EnvironmentFile(url: folder.appendingPathComponent($0)) }
    }

    /// Returns the name of the environment that a file is named after. The file name may lack its extension. Any other
    /// name is returned unchanged.
    package static func target(ofFileNamed name: String) -> String {
        var target = name
        for end in formats.map({ ".\($0)" }) + [suffix] where target.ends(with: end) {
            target = target.withoutEnd(end)
        }
        return target
    }

    /// Reads and parses the file.
    ///
    /// - Parameter parser: reads the file; nil for Foundation.
    /// - Throws: an error when the file cannot be read or parsed, or when its root is not a dictionary.
    package func read(parser: (any StrictParsing.Type)?) throws(FileProblem) -> Document {
        let path = FilePath.display(url)
        let data = try Self.contents(of: url, path: path)
        // Any file that is not committed may contain secrets.
        let document = try Self.document(data, path: path, isCommitted ? .file : .secrets, parser: parser)
        guard document.root.entries != nil else {
            throw document.problem(
                at: document.root.offset, "the file contains \(document.root.value.kind), not a dictionary of keys",
                fix: document.isPropertyList
                    ? "make <dict> the root of the property list" : "write { \"key\": \"value\" }")
        }
        return document
    }

    /// Parses the text of a file, or the text of an environment variable that contains a list.
    ///
    /// A byte order mark after the start is refused. On some platforms, Foundation drops a mark at the start of a key
    /// or value, and would read a different key or value than the file contains. This check does not find marks in
    /// UTF-16 and UTF-32.
    static func document(
        _ data: Data, path: String = "", _ kind: Document.Kind = .file, parser: (any StrictParsing.Type)?
    ) throws(FileProblem) -> Document {
        if data.begins(with: "\0GITCRYPT\0") {
            throw FileProblem(
                path: path, message: "the file is encrypted with git-crypt", fix: "run git-crypt unlock")
        }
        if data.isUTF16 { throw FileProblem.notUTF8.located(in: path) }
        // In a binary property list, these bytes have other meanings.
        guard !data.begins(with: "bplist"), let mark = data.firstIndex(of: "\u{FEFF}", from: 1) else {
            return try Document(reading: data, path: path, kind, parser: parser)
        }
        let before = data.prefix(mark).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        throw FileProblem(
            path: path, line: before.count, column: (before.last?.count ?? 0) + 1,
            message: "the file contains a byte order mark (U+FEFF) after its start", fix: "remove it")
    }

    /// Reads the bytes of a regular file, up to ``maximumSize``.
    static func contents(of url: URL, path: String) throws(FileProblem) -> Data {
        let file = try RegularFile(url, path: path)
        guard file.size <= maximumSize else {
            throw FileProblem(
                path: path,
                message: "the file has \(file.size) bytes; an environment file can have at most \(maximumSize)",
                fix: "keep the values that differ between servers, and move the data elsewhere")
        }
        return try file.contents()
    }
}

extension EnvironmentFile {
    /// Returns nil when the file's name does not follow the naming convention for environment files, or when the file
    /// is hidden.
    package init?(url: URL) {
        let stem = url.deletingPathExtension().lastPathComponent
        guard !stem.hasPrefix("."), Self.formats.contains(url.pathExtension),
            let suffix = [Self.suffix, Self.secretsSuffix].first(where: stem.hasSuffix)
        else { return nil }
        self.init(target: String(stem.dropLast(suffix.count)), url: url, isCommitted: suffix == Self.suffix)
    }

    /// Accepts a file with any name. When the name does not follow the convention, the target is the name without its
    /// extension.
    ///
    /// - Throws: an error when the extension is neither `.plist` nor `.json`.
    package init(anyName url: URL) throws(FileProblem) {
        if let file = EnvironmentFile(url: url) {
            self = file
            return
        }
        guard Self.formats.contains(url.pathExtension) else {
            throw FileProblem(
                path: FilePath.display(url), message: "the name of an environment file must end in .plist or .json",
                fix: "rename it")
        }
        self.init(target: url.deletingPathExtension().lastPathComponent, url: url, isCommitted: false)
    }
}
