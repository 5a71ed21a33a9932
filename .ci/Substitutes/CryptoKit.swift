// The declarations of Apple's CryptoKit that the samples use.
public import Foundation

public struct SHA256Digest: Sequence {
    public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public enum SHA256 {
    public static func hash(data: Data) -> SHA256Digest { SHA256Digest() }
}
