import Foundation
import Testing

/// Bodies that are small on the wire and large when they are decompressed.
enum CompressedZeros {
    /// Zeros through `gzip -9`.
    static func data(_ count: Int) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c \(count) /dev/zero | gzip -9"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return try #require(try pipe.fileHandleForReading.readToEnd())
    }
}
