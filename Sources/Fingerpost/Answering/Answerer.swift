/// Who answers a call. ``Answering`` decides it once per call.
enum Answerer: Sendable {
    /// The mocks; `runsCode` is true if the app's code may make the answer.
    case mocks(any CallMocks, runsCode: Bool)
    /// The client's transport.
    case network
    /// Nobody: the call fails.
    case nobody(APIError)

    var isNetwork: Bool { if case .network = self { true } else { false } }

    /// True if a server or the app's code answers: either of them may never return.
    var mayNeverReturn: Bool {
        switch self {
        case .mocks(_, let runsCode): runsCode
        case .network: true
        case .nobody: false
        }
    }
}
