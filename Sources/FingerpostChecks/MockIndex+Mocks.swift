import FingerpostFiles
package import FingerpostMockFiles

extension MockIndex {
    /// The mocks that have a default response, each with its body file, or with its settings file if the mock has no
    /// body file. A file such as `page.html` beside the settings `page.mock.json` is the body that these settings name,
    /// and no mock of its own.
    package var mocks: [(name: String, file: String)] {
        let usual = fileNames.compactMap { file in
            let owner = owner(of: file)
            return owner.variant == nil ? (name: owner.mock, file: file) : nil
        }
        let bodies = Set(usual.filter { !MockFileName.isSettings($0.file) }.map { ByteName($0.name) })
        let settings = Set(usual.filter { MockFileName.isSettings($0.file) }.map { ByteName($0.name) }).subtracting(
            bodies)
        return usual.filter { name, file in
            if MockFileName.isSettings(file) { return !bodies.contains(ByteName(name)) }
            return name.beforeLastDot.map { !settings.contains(ByteName($0)) } ?? true
        }
    }
}
