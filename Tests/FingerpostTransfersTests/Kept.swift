import FingerpostFiles
import FingerpostShared
import Foundation

@testable import Fingerpost
@testable import FingerpostTransfers

/// Writes what an earlier download has kept.
enum Kept {
    static let part = ".file.txt.fingerpost-part"
    static let description = part + ".json"

    static func write(
        _ part: String, of size: Int64 = 10, _ validator: String = "\"v1\"", for url: URL, beside file: URL
    ) throws {
        let request = RequestFingerprint(
            line: "GET \(url.absoluteString)", request: URLRequest(url: url), credentials: [])
        let whole = DownloadFile.Whole(of: request, varying: [], from: url, validator: validator, size: size)
        try write(part, description: JSONEncoder().encode(whole), beside: file)
    }

    static func write(_ part: String, description: Data, beside file: URL) throws {
        let location = try DownloadLocation(beside: file)
        try NewFile.write(Data(part.utf8), to: location.part)
        if let file = location.description { try NewFile.write(description, to: file) }
    }
}
