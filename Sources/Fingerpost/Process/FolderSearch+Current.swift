package import FingerpostFiles

extension FolderSearch {
    /// Searches this process's bundles and working directory for a folder with the given name.
    ///
    /// - Throws: an error if a place cannot be searched.
    package init(_ name: String) throws(FileProblem) {
        try self.init(name, process: .current)
    }
}
