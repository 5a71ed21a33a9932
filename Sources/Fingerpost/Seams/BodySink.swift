public import Foundation

/// Receives a response as it arrives: first its head, then its body in chunks.
///
/// The sink of ``APIClient`` collects the body in memory. Sinks of other products write the body to a file
/// (`download(_:to:)`), or keep the body until the app reads it (`stream(_:)`). A custom ``Transport`` pushes responses
/// into these sinks. Implement this protocol to test a transport, or for `send(_:into:)` of the product
/// `FingerpostTransfers`, which sends a route and passes the body to your sink.
///
/// The methods are called one after another, never concurrently.
public protocol BodySink: Sendable {
    /// Starts a response and discards everything received before. This method is called again for the final response
    /// after an interim response (RFC 9110 section 15.2), and whenever the request is sent again.
    ///
    /// - Parameter head: the response without its body.
    /// - Throws: an error that ends the call.
    func begin(_ head: Response<Void>) throws

    /// Receives the next bytes of the body.
    ///
    /// - Throws: an error that ends the call.
    func receive(_ bytes: Data) throws

    /// Receives a whole body from a file. The default implementation passes the file's bytes to ``receive(_:)``, in
    /// chunks of 1 MiB. The file may change after this method has returned.
    ///
    /// - Parameter file: a local file with the whole body.
    /// - Throws: an error that ends the call, for example because the file cannot be read.
    func receive(contentsOf file: URL) throws
}

extension BodySink {
    /// Passes the bytes of the file to ``receive(_:)``, in chunks of 1 MiB.
    public func receive(contentsOf file: URL) throws { try receivePieces(of: file) }

    func receivePieces(of file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { try receive(piece) }
    }
}
