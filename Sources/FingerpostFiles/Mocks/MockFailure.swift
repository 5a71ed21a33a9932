/// How a mock fails instead of answering.
package enum MockFailure: Sendable, Hashable {
    /// The code of a `URLError`: the connection fails before any answer.
    case urlError(Int)
    /// Half of the body arrives, then the connection is lost.
    case truncated
    /// The body is cut inside, and the connection ends as if it were whole.
    case malformed
    /// There is no body.
    case empty
}
