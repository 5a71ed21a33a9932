package import Fingerpost
package import Foundation

/// Is notified of each call of a test that mocks have answered, when the call has ended.
package protocol MockWitness: AnyObject, Sendable {
    func answered(_ call: MockedCall)
}

/// A call that mocks answer.
///
/// - `configuration`: that of the client.
/// - `response`: nil for a failure that the mock simulates.
/// - `recorded`: when the mock was recorded; nil for one written by hand.
/// - `isChosen`: true if code, a variant or a scenario was chosen for the mock.
/// - `call`: the call that was answered, with its last request and what it decodes; nil for one that no test has made.
package typealias MockedCall = (
    route: Route, configuration: ClientConfiguration, mock: MockName, response: Response<Data>?, recorded: Date?,
    isChosen: Bool, call: LoggedCall?
)
