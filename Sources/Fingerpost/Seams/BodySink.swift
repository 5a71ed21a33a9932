import FingerpostFiles
public import Foundation

/// Receives a response as it comes: first its head, then its body in pieces.
///
/// ``APIClient`` has two: one collects the body in memory, the other writes it into a file
/// (``APIClient/download(_:to:)``). A ``Transport`` that can hand on pieces pushes them into the sink as they arrive.
///
/// The methods are called one after another, never at the same time.
public protocol BodySink: Sendable {
    /// A response begins; what came before, if anything, is discarded. Called again for the final response after an
    /// interim one (RFC 9110 section 15.2), and whenever the request is sent again.
    ///
    /// - Parameter head: the response without its body.
    /// - Throws: an error that ends the call.
    func begin(_ head: Response<Void>) throws

    /// The next bytes of the body.
    ///
    /// - Throws: an error that ends the call.
    func receive(_ bytes: Data) throws

    /// The whole body, which is in a file. The default hands on its bytes, mapped into memory; a sink that has a file of
    /// its own copies it instead.
    ///
    /// - Throws: an error that ends the call.
    func receive(contentsOf file: URL) throws
}

extension BodySink {
    public func receive(contentsOf file: URL) throws { try receive(RegularFile.mapped(file)) }
}
