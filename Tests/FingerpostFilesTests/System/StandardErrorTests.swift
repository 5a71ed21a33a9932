@testable import FingerpostFiles

@Suite(.inTurn) struct StandardErrorTests {
    /// The two ends of a pipe.
    private func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// What arrives when a line is written to a pipe.
    private func written(_ line: String) throws -> Data? {
        let ends = try pipe()
        StandardError.write(line, to: ends.write)
        close(ends.write)
        return try FileHandle(fileDescriptor: ends.read, closeOnDealloc: true).readToEnd()
    }

    @Test(arguments: [1, 5_000, 50_000]) func `A line is written whole`(length: Int) throws {
        let line = String(repeating: "x", count: length)
        #expect(try written(line) == Data((line + "\n").utf8))
    }

    @Test func `A pipe without a reader, and a closed file, do not end the process, and later lines are written`()
        throws
    {
        let ends = try pipe()
        close(ends.read)
        for _ in 0..<3 { StandardError.write("lost", to: ends.write) }
        close(ends.write)
        let afterPipe = try written("x")
        StandardError.write("lost", to: -1)
        #expect(try [afterPipe, written("x")] == [Data("x\n".utf8), Data("x\n".utf8)])
    }

    @Test func `A signal that somebody else caused is kept`() throws {
        let ends = try pipe()
        close(ends.read)
        var (brokenPipe, before) = (sigset_t(), sigset_t())
        sigemptyset(&brokenPipe)
        sigaddset(&brokenPipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
        pthread_kill(pthread_self(), SIGPIPE)
        StandardError.write("lost", to: ends.write)
        var pending = sigset_t()
        sigpending(&pending)
        #expect(sigismember(&pending, SIGPIPE) == 1)
        var signal: Int32 = 0
        sigwait(&brokenPipe, &signal)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        close(ends.write)
    }

    @Test func `A full pipe does not stop the process`() throws {
        let ends = try pipe()
        try #require(fcntl(ends.write, F_SETFL, O_NONBLOCK) == 0)
        let piece = [UInt8](repeating: 0x78, count: 4_096)
        var size = 0
        while case let count = write(ends.write, piece, piece.count), count > 0 { size += count }
        try #require(fcntl(ends.write, F_SETFL, 0) == 0)
        StandardError.write("lost", to: ends.write)
        close(ends.write)
        let read = try FileHandle(fileDescriptor: ends.read, closeOnDealloc: true).readToEnd()
        #expect(read?.count == size)
    }
}
