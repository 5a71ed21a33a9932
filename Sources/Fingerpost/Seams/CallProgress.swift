/// Hears how far the bodies of a call have come, in each request that it sends.
package protocol CallProgress: AnyObject, Sendable {
    /// A request is about to be sent.
    ///
    /// - Parameter size: the size of its body in bytes; nil if it is not known.
    /// - Returns: its number within the call.
    func start(sending size: Int64?) -> Int

    /// The transport tells something of the request with this number. A request that was replaced may still tell some.
    func note(_ event: TransferEvent, of attempt: Int)

    /// A response has begun.
    ///
    /// - Parameter kept: how many bytes of the body an earlier response brought, if this one brings the rest.
    func begin(_ head: Response<Void>, after kept: Int64, of attempt: Int)

    /// Bytes of the response's body have come.
    func receive(_ size: Int64, of attempt: Int)

    /// The response is complete.
    func end(of attempt: Int)

    /// The call succeeds with a body of this size in bytes.
    func succeed(_ size: Int64)

    /// The call was cancelled, or fails: nothing more is reported.
    func stop()

    /// Waits until the last report was made.
    func end() async
}
