import FingerpostTransfers
import Foundation

extension MultipartForm {
    /// The temporary files of this library that contain the form.
    var temporaryFiles: [URL] {
        get throws {
            let start = Data("--\(boundary)".utf8)
            let folder = FileManager.default.temporaryDirectory
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasPrefix("fingerpost-") }
                .map(folder.appendingPathComponent)
                .filter { url in
                    // Another test may have removed the file in the meantime.
                    guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
                    defer { try? handle.close() }
                    return try handle.read(upToCount: start.count) == start
                }
        }
    }
}
