import TestSupport

@testable import FingerpostShared
@testable import FingerpostTransfers

@Suite(.inTurn) struct FileLockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder.url)
    }

    @Test func `A file is locked once, by whatever name, and again when the lock has ended`() throws {
        for isOfProcess in [false, false, true, true] {
            let lock = try FileLock(of: folder["x"], isOfProcess: isOfProcess)
            for name in ["x", "link/x"] {
                #expect(throws: POSIXError(.EWOULDBLOCK)) { try FileLock(of: folder[name], isOfProcess: isOfProcess) }
            }
            _ = try FileLock(of: folder["y"], isOfProcess: isOfProcess)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `What cannot be opened is not locked`() throws {
        for isOfProcess in [false, true] {
            try FileManager.default.createSymbolicLink(at: folder["x"], withDestinationURL: folder["y"])
            for _ in 1...2 {
                #expect(throws: PrivateFile.Refusal(file: folder["x"], reason: .link)) {
                    try FileLock(of: folder["x"], isOfProcess: isOfProcess)
                }
            }
            unlink(folder["x"].path)
            _ = try FileLock(of: folder["x"], isOfProcess: isOfProcess)
            unlink(folder["x"].path)
        }
    }
}
