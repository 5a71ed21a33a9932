import FingerpostFiles
import Foundation

/// Checks the file names in an environments folder. Reports files that are ignored because of their names, and
/// environments whose names differ only in letter case.
enum EnvironmentFolderCheck {
    static func problems(of folder: EnvironmentFolder) -> [FileProblem] {
        var problems: [FileProblem] = []
        func report(_ name: String?, _ message: String, fix: String, isError: Bool) {
            let url = name.map(folder.url.appendingPathComponent) ?? folder.url
            var problem = FileProblem(path: FilePath.display(url), message: message, fix: fix)
            problem.isError = isError
            problems.append(problem)
        }
        // If the folder cannot be listed, `EnvironmentFolder` has already reported the problem when it was created.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
        let read = Set(folder.files.map(\.url.lastPathComponent))
        let formats = EnvironmentFile.Format.allCases.map(\.rawValue)
        for name in names.sorted() where !read.contains(name) && !name.hasPrefix(".") {
            let file = folder.url.appendingPathComponent(name)
            guard formats.contains(file.pathExtension.lowercased()) else { continue }
            let stem = file.deletingPathExtension().lastPathComponent
            let target = stem.lowercased().hasSuffix("-env") ? String(stem.dropLast(4)) : stem
            report(
                name, "the file is ignored: its name is not that of an environment file",
                fix: "rename it to \(target)\(EnvironmentFile.suffix).\(file.pathExtension.lowercased())",
                isError: false)
        }
        var folded: [String: String] = [:]
        for target in folder.targets {
            guard let other = folded.updateValue(target, forKey: target.lowercased()) else { continue }
            report(
                nil, "the environments \"\(other)\" and \"\(target)\" differ only in letter case",
                fix: "rename one of them", isError: true)
        }
        if folder.targets.isEmpty {
            report(
                nil, "the folder contains no environments", fix: "add <Name>-Env.plist or <Name>-Env.json",
                isError: false)
        }
        return problems
    }
}
