package import Fingerpost
package import Foundation

/// Is notified of each call of a test that mocks have answered, when the call has ended.
package protocol MockWitness: AnyObject, Sendable {
    /// - Parameters:
    ///   - call: with its last request, and the type that it decodes.
    ///   - configuration: that of the client.
    ///   - response: nil for a failure that the mock simulates.
    ///   - recorded: when the mock was recorded; nil for one written by hand.
    ///   - isChosen: true if code, a variant or a scenario was chosen for the mock.
    func answered(
        _ call: LoggedCall, of route: Route, _ configuration: ClientConfiguration, by mock: MockName,
        _ response: Response<Data>?, recorded: Date?, isChosen: Bool)
}
