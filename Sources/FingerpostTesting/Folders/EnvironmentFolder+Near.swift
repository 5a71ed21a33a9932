import FingerpostFiles
import Foundation

extension EnvironmentFolder {
    /// The folder beside a mocks folder, or else the folder that the client finds; nil if there is none.
    static func url(besideMocksIn mocks: URL) throws(FileProblem) -> URL? {
        let beside = mocks.deletingLastPathComponent().appendingPathComponent(name)
        if beside.isFolder { return beside }
        let search = try FolderSearch(name)
        return search.found ?? search.topLevel
    }
}
