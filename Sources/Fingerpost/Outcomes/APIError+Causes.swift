import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Converts other libraries' errors to `APIError`.
extension APIError {
    /// Converts any error that a transport or middleware throws.
    init(transport error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as URLError: self.init(url: error)
        case is CancellationError: self.init(.cancelled, "the task was cancelled", underlying: error)
        default: self.init(.transport, Self.text(of: error), underlying: error)
        }
    }

    /// Returns the message for an error of other code. An `NSError`'s description is not used because it contains the
    /// error's `userInfo`, including whole URLs.
    private static func text(of error: any Error) -> String {
        guard type(of: error) is NSError.Type else { return "\(error)" }
        let error = error as NSError
        return "\(error.localizedDescription) (\(error.domain) \(error.code))"
    }

    private init(url error: URLError) {
        switch error.code {
        case .timedOut:
            self.init(.timedOut, "no response arrived in time", underlying: error)
        case .cancelled:
            self.init(.cancelled, "the task was cancelled", underlying: error)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            self.init(.offline, "there is no connection to the internet", underlying: error)
        case .cannotFindHost, .dnsLookupFailed:
            self.init(
                .transport, "the host was not found", fix: "check the base URL and the network connection",
                underlying: error)
        case .cannotConnectToHost:
            self.init(
                .transport, "the host refused the connection",
                fix: "check the port of the base URL, and that the server is running",
                underlying: error)
        case .networkConnectionLost, .badServerResponse:
            self.init(.transport, "the connection was lost before the response was complete", underlying: error)
        default:
            self.init(
                .transport, "\(error.localizedDescription) (URLError \(error.code.rawValue))", underlying: error)
        }
    }

    init(_ error: EnvironmentError) {
        self.init(.environment, error.description, underlying: error)
    }

    /// Converts a problem found in a file or in text.
    init(_ kind: Kind, _ problem: FileProblem) {
        let place = problem.location.isEmpty ? "" : "\(problem.location): "
        self.init(kind, place + problem.message, fix: problem.fix)
    }

    /// Converts any error thrown while a route is turned into a request.
    init(encoding error: any Error) {
        if let error = error as? APIError {
            self = error
            return
        }
        guard case .invalidValue(_, let context)? = error as? EncodingError else {
            self.init(.encoding, "\(error)", underlying: error)
            return
        }
        let path = CodingPath.text(context.codingPath)
        self.init(
            .encoding, context.debugDescription, codingPath: path.isEmpty ? nil : path, underlying: error)
    }

    /// - Parameters:
    ///   - type: the type that the body was decoded as.
    ///   - isJSON: false if the body was read by a decoder other than `JSONDecoder`.
    ///   - redact: removes credentials from text.
    init(
        decoding error: any Error, of response: Response<Data>, as type: Any.Type, isJSON: Bool,
        redact: (String) -> String
    ) {
        if let error = error as? APIError {
            self = error
            return
        }
        guard let error = error as? DecodingError else {
            self.init(.decoding, "the body does not decode as \(type): \(error)", underlying: error)
            return
        }
        let failure = DecodingFailure(error, in: response.data, isJSON: isJSON, redact: redact)
        self.init(
            .decoding, "the body does not decode as \(type): \(failure.reason)", codingPath: failure.place,
            fragment: failure.fragment, underlying: error)
    }
}
