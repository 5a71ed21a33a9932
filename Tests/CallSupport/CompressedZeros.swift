/// Bodies that are small on the wire and large when they are decompressed.
package enum CompressedZeros {
    /// Zeros through `gzip -9`.
    package static func data(_ count: Int) throws -> Data {
        try Process.output(of: "/bin/sh", "-c", "head -c \(count) /dev/zero | gzip -9")
    }
}
