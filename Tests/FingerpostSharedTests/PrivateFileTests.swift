import TestSupport

@testable import FingerpostShared

@Suite(.inTurn) struct PrivateFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `Only a regular file of this user alone is opened, and anything else is told apart`() throws {
        for name in ["kind", "mode", "names", "owner"] { try NewFile.create(at: folder[name]) }
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["mode"])
        unlink(folder["kind"].path)
        mkfifo(folder["kind"].path, 0o600)
        chmod(folder["mode"].path, 0o640)
        try FileManager.default.linkItem(at: folder["names"], to: folder["other"])
        let expected: [(String, PrivateFile.Refusal.Reason)] = [
            ("link", .link), ("kind", .kind), ("mode", .mode), ("names", .names), ("other", .names),
        ]
        for (name, reason) in expected {
            let refusal = PrivateFile.Refusal(file: folder[name], reason: reason)
            #expect(throws: refusal) { try PrivateFile.open(folder[name]) }
            #expect(throws: refusal) { try PrivateFile.lock(folder[name]) }
        }
        // Only the administrator can give a file away.
        if chown(folder["owner"].path, 1, 1) == 0 {
            let refusal = PrivateFile.Refusal(file: folder["owner"], reason: .owner)
            #expect(throws: refusal) { try PrivateFile.open(folder["owner"]) }
        }
        unlink(folder["other"].path)
        try PrivateFile.open(folder["names"]).close()
    }

    @Test func `The reason of an error is what the system says`() throws {
        let unwritable = #expect(throws: (any Error).self) { try Data().write(to: folder["x/y"]) }
        let refusal = PrivateFile.Refusal(file: folder["x"], reason: .names)
        let other = CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "x"])
        #expect(
            [unwritable, refusal, POSIXError(.ENOSPC), other].map { $0?.fileReason } == [
                "No such file or directory",
                "\(folder["x"].path) is not a file of this user alone: \(refusal.reason.rawValue)",
                "No space left on device", "x",
            ])
    }
}
