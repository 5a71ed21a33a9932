import FingerpostFiles
import Foundation

/// Finds the mocks of a test by where its file stands.
enum MocksBeside {
    /// The nearest folder `Mocks` beside a file or above it, up to the root of its package; nil where there is none.
    static func folder(of file: String) -> URL? {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while folder.path != "/" {
            let mocks = folder.appendingPathComponent(MockFolder.name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: mocks.path, isDirectory: &isFolder), isFolder.boolValue {
                return mocks
            }
            let manifest = folder.appendingPathComponent("Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { return nil }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
