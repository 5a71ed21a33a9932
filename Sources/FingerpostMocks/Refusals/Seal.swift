import Fingerpost

/// What keeps the calls that mocks answer from being sent, for messages.
enum Seal {
    /// The environment of the call.
    case environment
    /// The environment of the process, whose name is given. It seals a call that has none too.
    case process(String)
    case scope

    /// - Parameter sealing: the environment whose network setting applies.
    /// - Returns: nil if nothing is sealed: mocks also answer under `mocksThenLive`, and when a recording keeps an
    ///   answer.
    init?(_ sealing: Environment?, _ call: CallContext) {
        if let sealing, sealing.isSealed {
            self = call.environment == nil ? .process(sealing.name) : .environment
        } else if call.scope?.network == .sealed {
            self = .scope
        } else {
            return nil
        }
    }
}

extension Seal? {
    /// The end of a message about a call that no mock answers.
    var sentence: String {
        switch self {
        case .environment: "The environment is sealed, so nothing was sent"
        case .process(let name): "The process's environment \(name) is sealed, so nothing was sent"
        case .scope: "The scope is sealed, so nothing was sent"
        case nil: "Nothing was sent"
        }
    }
}
