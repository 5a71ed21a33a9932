#if canImport(FoundationNetworking)
    import Foundation

    /// A stream that fails when it is read, for a body that must not be sent.
    final class BrokenStream: InputStream {
        init() { super.init(data: Data()) }

        override func open() {}
        override func close() {}
        override var streamStatus: Stream.Status { .error }
        override var streamError: (any Error)? { POSIXError(.EPIPE) }
        override var hasBytesAvailable: Bool { true }
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int { -1 }
    }
#endif
