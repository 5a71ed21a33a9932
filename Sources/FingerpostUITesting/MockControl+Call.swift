extension MockControl {
    /// A call of the app that has ended, without secrets.
    public struct Call: Sendable, Codable, CustomStringConvertible {
        /// The name of the mock, or of the route if it has no mock.
        public let name: String
        /// The mock that answered; nil if none did.
        public let mock: String?
        /// The variant that answered; nil for the usual answer.
        public let variant: String?
        /// The method, the path and the outcome: `GET users/octocat 200`.
        public let line: String
        /// The method of the request; nil if no request could be built.
        public let method: String?
        /// The URL of the request; nil if no request could be built.
        public let url: String?
        /// The status of the response; nil if there was none.
        public let status: Int?
        /// The kind of the error; nil if the call succeeded.
        public let error: String?
        /// Why the test must fail, such as a mock that does not exist; nil if there is no reason.
        public let problem: String?
        /// The number of the last change that the call saw.
        let change: Int

        /// The ``line``.
        public var description: String { line }
    }
}
