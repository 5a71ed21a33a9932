/// Finds mocks that no route can name, and those that only some disks tell apart.
package enum MockFolderCheck {
    package static func problems(of folder: MockFolder) -> [FileProblem] {
        var problems: [FileProblem] = []
        var folded: [String: String] = [:]
        let files = folder.fileNames.filter { !MockFileName.isSettings($0) }
        func report(_ file: String, _ message: String, fix: String, isError: Bool = true) {
            var problem = FileProblem(
                path: FilePath.display(folder.url.appendingPathComponent(file)), message: message, fix: fix)
            problem.isError = isError
            problems.append(problem)
        }
        let all = Set(files)
        for file in files {
            if let other = folded.updateValue(file, forKey: file.lowercased()) {
                report(
                    file, "its name and \"\(other)\" differ by letter case alone, which some disks do not keep apart",
                    fix: "rename one of them")
            }
            if let objection = MockFileName.objection(to: MockFileName.mockName(of: file)) {
                report(file, "no route can name this mock: \(objection)", fix: "rename it")
            } else if !file.hasSuffix(".json"), all.contains("\(file).json") {
                report(
                    file, "no route can name this mock: \"\(file)\" is \(file).json", fix: "rename one of them",
                    isError: false)
            }
        }
        return problems
    }
}
