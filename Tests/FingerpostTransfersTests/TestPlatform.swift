import Foundation

@testable import Fingerpost
@testable import FingerpostTransfers

/// The platforms of downloads, as tests imitate them.
enum TestPlatform: String, CaseIterable, Codable, Sendable {
    case locks
    case claims
    /// Hidden files may not be beside their target.
    case sandbox
    case sandboxWithClaims

    /// - Parameter app: the folder of the app in a sandbox.
    func platform(in app: URL, error: POSIXErrorCode = .EPERM) -> DownloadPlatform {
        let isClaimed = self == .claims || self == .sandboxWithClaims
        guard self == .sandbox || self == .sandboxWithClaims else {
            return DownloadPlatform(claims: isClaimed)
        }
        return DownloadPlatform(claims: isClaimed) {
            app.appendingPathComponent("support")
        } temporary: { _ in
            let folder = app.appendingPathComponent("temporary").appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        } create: { _ in
            throw POSIXError(error)
        }
    }

    /// The hidden file with the part that is kept for a target.
    func part(of target: URL, _ app: URL) throws -> URL {
        try DownloadPlace.open(for: target, resuming: true, on: platform(in: app)).0.part
    }

    /// The names of all files below a folder.
    static func files(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter {
            !["support", "temporary"].contains($0)
        }
    }
}
