import FingerpostMocks
import TestSupport

@testable import Fingerpost

#if canImport(FoundationNetworking)
    @Suite(.inTurn) struct CheckedStreamTests {
        private let folder: TemporaryFolder
        private let file: URL

        init() throws {
            folder = try TemporaryFolder()
            file = folder["x.bin"]
        }

        private func stream(_ size: Int) throws -> CheckedStream {
            try folder.write(Data(repeating: 7, count: size), to: "x.bin")
            let error = APIError(.encoding, "x.bin cannot be read")
            return CheckedStream(
                InputStream(url: file)!,
                length: BodyLength(
                    Int64(size), unreadable: error,
                    changed: APIError(.encoding, "x.bin had \(size) bytes, and changed its size"), if: { false }))
        }

        /// Reads a stream as URLSession does.
        private func read(_ stream: CheckedStream, by length: Int) -> (bytes: Data, isComplete: Bool) {
            stream.open()
            defer { stream.close() }
            var (bytes, buffer) = (Data(), [UInt8](repeating: 0, count: length))
            while stream.hasBytesAvailable {
                let count = stream.read(&buffer, maxLength: length)
                if count < 0 { return (bytes, false) }
                bytes += buffer.prefix(count)
            }
            return (bytes, true)
        }

        @Test(arguments: [0, 1, 99, 100, 101, 1000], [1, 100, 5000])
        func `A file that does not change is read whole`(size: Int, length: Int) throws {
            let stream = try stream(size)
            let status = stream.streamStatus
            let (bytes, isComplete) = read(stream, by: length)
            let seen = (status, bytes, isComplete, stream.streamError == nil)
            #expect(seen == (.notOpen, Data(repeating: 7, count: size), true, true))
        }

        @Test(
            arguments: [(0, 1), (1, 0), (1, 2), (1000, 0), (1000, 999), (1000, 1001), (1000, 5000)] as [(Int, Int)],
            [1, 100, 5000])
        func `A file of another size is an error before its last byte`(sizes: (Int, Int), length: Int) throws {
            let stream = try stream(sizes.0)
            try folder.write(Data(repeating: 7, count: sizes.1), to: "x.bin")
            let (bytes, isComplete) = read(stream, by: length)
            let error = stream.streamError as? APIError
            let isCut = !isComplete && (bytes.isEmpty || bytes.count < sizes.0)
            let seen = (isCut, stream.streamStatus, error?.kind, error?.message)
            #expect(seen == (true, .error, .encoding, "x.bin had \(sizes.0) bytes, and changed its size"))
            // It stays an error.
            var byte: UInt8 = 0
            #expect(stream.hasBytesAvailable && stream.read(&byte, maxLength: 1) == -1)
        }
    }
#endif
