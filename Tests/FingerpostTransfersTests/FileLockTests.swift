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

    @Test func `A file stays locked when what was written is stored`() throws {
        let handle = try #require(try PrivateFile.lock(folder["x"]))
        try handle.write(contentsOf: Data("text".utf8))
        try PrivateFile.store(handle)
        let isLocked = try PrivateFile.lock(folder["x"]) == nil
        try handle.close()
        let found = try (isLocked, PrivateFile.lock(folder["x"])?.readToEnd())
        #expect(found == (true, Data("text".utf8)))
    }

    @Test func `A lock ends when the file is closed, even if a forked process has a copy of its handle`() throws {
        let handle = try #require(try PrivateFile.lock(folder["x"]))
        let copy = dup(handle.fileDescriptor)
        defer { close(copy) }
        try PrivateFile.close(handle)
        try PrivateFile.close(#require(try PrivateFile.lock(folder["x"])))
    }
}
