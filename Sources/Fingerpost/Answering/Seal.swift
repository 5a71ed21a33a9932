/// What keeps the calls that mocks answer from being sent, for messages.
package enum Seal {
    case environment
    case scope

    /// - Returns: nil if nothing is sealed: mocks also answer under `mocksThenLive`, and when a recording keeps an
    ///   answer.
    package init?(_ environment: Environment?, _ scope: APIScope?) {
        if environment?.isSealed == true {
            self = .environment
        } else if scope?.network == .sealed {
            self = .scope
        } else {
            return nil
        }
    }
}

extension Seal? {
    /// The end of a message about a call that no mock answers.
    package var sentence: String {
        switch self {
        case .environment: "The environment is sealed, so nothing was sent"
        case .scope: "The scope is sealed, so nothing was sent"
        case nil: "Nothing was sent"
        }
    }
}
