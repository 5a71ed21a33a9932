package import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The work that the plugin does for a target in one build. The job checks the folders, copies them to the target's
/// resources, and writes the generated Swift code.
package struct BundleJob: Hashable, Sendable {
    /// A source folder, and the folder to which its files are copied. `copy` is nil if the manifest already bundles the
    /// source folder.
    struct Folder: Hashable {
        let source: String
        let copy: String?
    }

    private let environments: Folder?
    private let mocks: Folder?
    /// The Swift file to write. Nil for targets that do not use the library.
    private let swift: String?
    /// True if the target links the library according to the manifest.
    private let isLinked: Bool
    private let linksMocks: Bool
    /// True for a test target.
    private let isTest: Bool
    /// The path of a file that is rewritten in every build. This file is an input of the build command, so the build
    /// system runs the command in every build.
    private let stamp: String

    /// Creates the job that the program's arguments describe. Only the plugin passes these arguments.
    ///
    /// - Parameter words: the arguments after the program name.
    package init(_ words: [String]) {
        var arguments: [String: String] = [:]
        var rest = words.makeIterator()
        while let word = rest.next() {
            let isFlag = ["--linked", "--linked-mocks", "--test"].contains(word)
            arguments[word] = isFlag ? "" : rest.next()
        }
        stamp = arguments["--stamp"] ?? ""
        swift = arguments["--swift"]
        isLinked = arguments["--linked"] != nil
        linksMocks = arguments["--linked-mocks"] != nil
        isTest = arguments["--test"] != nil
        environments = arguments["--environments"].map {
            Folder(source: $0, copy: arguments["--environments-copy"])
        }
        mocks = arguments["--mocks"].map { Folder(source: $0, copy: arguments["--mocks-copy"]) }
    }

    /// Runs the job. A file that already has the new content is not written again, because a newer file triggers a
    /// rebuild.
    ///
    /// - Returns: all problems found. If a check finds an error, only the stamp file is written.
    package func run() -> [FileProblem] {
        let checked = CheckedFolders(
            environments: environments.map { URL(fileURLWithPath: $0.source) },
            mocks: mocks.map { URL(fileURLWithPath: $0.source) })
        var problems = checked.problems
        do throws(FileProblem) {
            try FileMirror.write(Data(UUID().uuidString.utf8), to: URL(fileURLWithPath: stamp))
            if problems.contains(where: \.isError) { return problems }
            if let environments { try Self.copy(environments, where: checked.bundledEnvironments.contains) }
            // Hidden files are never read.
            if let mocks { try Self.copy(mocks, where: { !Self.isHidden($0) }) }
            if let swift {
                // A test target uses the public accessors of the tested module. A second copy of the accessors would
                // make the types of dictionaries ambiguous.
                let isSecond = isTest && checked.parity?.schema.access == .public
                let names = isSecond ? GeneratedSwift(environments: nil, mocks: checked.mocks) : checked.generated
                let text = names.pluginText(
                    source: environments?.source, isLinked: isLinked, linksMocks: isLinked ? linksMocks : nil)
                try FileMirror.write(Data(text.utf8), to: URL(fileURLWithPath: swift))
            }
        } catch {
            problems.append(error)
        }
        return problems
    }

    private static func copy(_ folder: Folder, where isWanted: (String) -> Bool) throws(FileProblem) {
        guard let copy = folder.copy else { return }
        try FileMirror.copy(URL(fileURLWithPath: folder.source), to: URL(fileURLWithPath: copy), where: isWanted)
    }

    /// True for hidden files such as `.DS_Store`, and for all files in hidden folders.
    private static func isHidden(_ file: String) -> Bool {
        file.parts(between: "/").contains { $0.utf8.first == UInt8(ascii: ".") }
    }
}

/// Updates copies of files, and does not write unchanged files.
enum FileMirror {
    /// Updates the `copy` folder so that it contains exactly the wanted files from `source`. Symbolic links are
    /// followed.
    ///
    /// - Parameters:
    ///   - source: the folder to copy from. A missing folder counts as empty.
    ///   - isWanted: receives a file's path relative to `source`, and returns true if the file must be copied.
    /// - Throws: an error if a file cannot be read, written or removed.
    static func copy(_ source: URL, to copy: URL, where isWanted: (String) -> Bool) throws(FileProblem) {
        let files = Set(paths(below: source).filter { isWanted($0) && !source.appendingPathComponent($0).isFolder })
        do {
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            var needed = files
            for file in files {
                let parts = file.split(separator: "/")
                for count in 1..<max(parts.count, 1) { needed.insert(parts.prefix(count).joined(separator: "/")) }
            }
            for path in paths(below: copy) {
                let old = copy.appendingPathComponent(path)
                let isGone = !FileManager.default.fileExists(atPath: old.path)
                if !isGone, !needed.contains(path) || old.isFolder == files.contains(path) {
                    try FileManager.default.removeItem(at: old)
                }
            }
        } catch {
            throw FileProblem(path: copy.path, message: "the copy cannot be created: \(error.localizedDescription)")
        }
        for file in files.sorted() {
            let data: Data
            do { data = try Data(contentsOf: source.appendingPathComponent(file)) } catch {
                throw FileProblem(
                    path: FilePath.display(source.appendingPathComponent(file)),
                    message: "the file cannot be read: \(error.localizedDescription)")
            }
            try write(data, to: copy.appendingPathComponent(file))
        }
    }

    /// Writes data to a file, unless the file already contains exactly this data.
    static func write(_ data: Data, to file: URL) throws(FileProblem) {
        // If the old file cannot be read, the code below tries to replace the file and throws any error.
        if let old = try? Data(contentsOf: file), old == data { return }
        do {
            let before = second(of: file)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
            // The compiler compares modification dates in whole seconds, so the compiler would miss the second of two
            // changes within the same second.
            if let before, let now = second(of: file), now <= before {
                let next = Date(timeIntervalSince1970: before + 1)
                try FileManager.default.setAttributes([.modificationDate: next], ofItemAtPath: file.path)
            }
        } catch {
            throw FileProblem(path: file.path, message: "the file cannot be written: \(error.localizedDescription)")
        }
    }

    /// A file's modification date, in whole seconds since 1970; nil if the file does not exist.
    private static func second(of file: URL) -> TimeInterval? {
        // If the attributes of an existing file cannot be read, the caller's attempt to write the file throws the
        // error.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970.rounded(.down)
    }

    private static func paths(below folder: URL) -> [String] {
        FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    }
}
