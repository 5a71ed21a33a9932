import FingerpostFiles
import FingerpostShared
import Foundation

@testable import Fingerpost
@testable import FingerpostTransfers

/// Writes what an earlier download has kept.
enum Kept {
    static func write(
        _ part: String, of size: Int64, _ validator: String, for url: URL, beside file: URL
    ) throws {
        let request = DownloadIdentity(
            line: "GET \(url.absoluteString)", request: URLRequest(url: url), credentials: [])
        let whole = DownloadFile.Whole(of: request, varying: [], from: url, validator: validator, size: size)
        try write(part, description: JSONEncoder().encode(whole), beside: file)
    }

    static func write(_ part: String, description: Data, beside file: URL) throws {
        let name = ".\(file.lastPathComponent).fingerpost-part"
        let folder = file.deletingLastPathComponent()
        try NewFile.write(Data(part.utf8), to: folder.appendingPathComponent(name))
        try NewFile.write(description, to: folder.appendingPathComponent(name + ".json"))
    }
}
