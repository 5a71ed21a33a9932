/// Bodies that are small on the wire and large when they are decompressed.
package enum CompressedZeros {
    /// Zeros that `gzip -9` has compressed.
    package static func data(_ count: Int) throws -> Data {
        try Process.output(of: "/bin/sh", "-c", "head -c \(count) /dev/zero | gzip -9")
    }
}
