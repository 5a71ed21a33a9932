package import Fingerpost
package import Foundation

/// Is notified of each call of a test that mocks have answered, when the call has ended.
package protocol MockWitness: AnyObject, Sendable {
    func answered(_ call: MockedCall)
}

/// A call that mocks answer.
package struct MockedCall: Sendable {
    package let route: Route
    /// The configuration of the client.
    package let configuration: ClientConfiguration
    package let mock: MockName
    /// The response; nil for a failure that the mock simulates.
    package let response: Response<Data>?
    /// When the mock was recorded; nil for one written by hand.
    package var recorded: Date?
    /// True if code, a variant or a scenario was chosen for the mock.
    package var isChosen = false
    /// The call that was answered, with its last request and what it decodes; nil for one that no test has made.
    package var call: LoggedCall?

    package init(_ route: Route, _ configuration: ClientConfiguration, _ mock: MockName, _ response: Response<Data>?) {
        (self.route, self.configuration, self.mock, self.response) = (route, configuration, mock, response)
    }
}
