import Foundation
import TestSupport
import Testing

@testable import FingerpostFiles

@Suite struct PrivateFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `A file stays locked when what was written is stored`() throws {
        let handle = try PrivateFile.open(folder["x"])
        try handle.write(contentsOf: Data("text".utf8))
        try PrivateFile.store(handle)
        #expect(throws: POSIXError(.EWOULDBLOCK)) { try PrivateFile.open(folder["x"]) }
        try handle.close()
        #expect(try PrivateFile.open(folder["x"]).readToEnd() == Data("text".utf8))
    }

    @Test func `The reason of an error is what the system says`() throws {
        let unwritable = #expect(throws: (any Error).self) { try Data().write(to: folder["x/y"]) }
        #expect(unwritable?.fileReason == "No such file or directory")
        #expect(POSIXError(.ENOSPC).fileReason == "No space left on device")
        #expect(CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "x"]).fileReason == "x")
    }
}
