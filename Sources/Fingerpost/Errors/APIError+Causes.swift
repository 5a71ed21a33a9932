package import FingerpostFiles
import Foundation

// Converts other libraries' errors to `APIError`.
extension APIError {
    /// Converts any error that a transport or middleware throws.
    package init(transport error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as URLError: self.init(url: error)
        case is CancellationError: self.init(.cancelled, "the task was cancelled", underlying: error)
        case _ where error.isLostConnection:
            self.init(url: URLError(.networkConnectionLost, userInfo: [NSUnderlyingErrorKey: error]))
        default: self.init(.transport, Self.text(of: error), underlying: error)
        }
    }

    /// Returns the message for an error that other code has thrown. An `NSError`'s description is not used because it
    /// contains the error's `userInfo`, including whole URLs.
    static func text(of error: any Error) -> String {
        if error is EncodingError { return "a value cannot be encoded: \(EncodingError.text(of: error))" }
        guard type(of: error) is NSError.Type else { return "\(error)" }
        let error = error as NSError
        return "\(error.localizedDescription) (\(error.domain) \(error.code))"
    }

    private init(url error: URLError) {
        self = Self.cause(of: error)
        details.underlying = error
    }

    private static func cause(of error: URLError) -> APIError {
        let text = error.localizedDescription
        switch error.code {
        case .timedOut: return APIError(.timedOut, "no response arrived in time")
        case .cancelled: return APIError(.cancelled, "the task was cancelled")
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            if !error.isLocalNetworkProhibited { return APIError(.offline, "there is no connection to the internet") }
            return APIError(
                .transport, "the app is not allowed to use the local network",
                fix: """
                    allow it in the system settings under Privacy & Security > Local Network, and set \
                    NSLocalNetworkUsageDescription in Info.plist, which the system shows when it asks
                    """)
        case .cannotFindHost, .dnsLookupFailed:
            return APIError(.transport, "the host was not found", fix: fixForUnknownHost())
        case .cannotConnectToHost:
            return APIError(
                .transport, "the host refused the connection",
                fix: "check the port of the base URL, and that the server is running")
        case .appTransportSecurityRequiresSecureConnection:
            return APIError(
                .transport, "App Transport Security does not allow http to this host",
                fix: """
                    use https; for a server on this machine or network set NSAllowsLocalNetworking in the \
                    NSAppTransportSecurity dictionary of Info.plist, and for another host list it in NSExceptionDomains
                    """)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            return APIError(secure: error)
        // On Linux, all certificate errors have the code `unknown`.
        case .unknown where text.contains(bytesOf: "SSL") || text.contains(bytesOf: "certificate"):
            return APIError(secure: error)
        case .networkConnectionLost, .badServerResponse:
            return APIError(.transport, "the connection was lost before the response was complete")
        default: break
        }
        // The following codes report a URL or a response that Foundation cannot read. On Linux, only the text of
        // libcurl contains the reason.
        let unreadable = "the head of the response cannot be read: "
        let look = "correct the server's response; curl -i shows it"
        switch text {
        case "Failed writing header":
            return APIError(
                .transport,
                unreadable + "its status line or one of its header lines is invalid, for example a header without a "
                    + "space after the colon, or characters that are not ASCII", fix: look)
        case "Out of memory":
            return APIError(.transport, unreadable + "one of its lines is too long (100 kB or more)", fix: look)
        case "Header without colon", "Nul byte in header", "Invalid Content-Length: value":
            return APIError(.transport, unreadable + text, fix: look)
        case "Failed writing received data to disk/application":
            return APIError(
                .transport,
                "the body of the response cannot be unpacked: its Content-Encoding is invalid, for example gzip of "
                    + "several members",
                fix: "correct the server's response, or send the header Accept-Encoding: identity")
        case _ where error.code == .badURL:
            return APIError(
                .transport, "the URL cannot be sent to: \(text)",
                fix: "on Linux, write the name of the host in place of an IPv6 address")
        // Clients send only to http and https URLs, so this code is about the response's protocol.
        case _
        where error.code == .unsupportedURL && text.contains(bytesOf: "HTTP") || error.code == .cannotParseResponse:
            return APIError(
                .transport, "the server's answer is not an HTTP response that can be read: \(text)",
                fix: "check the port of the base URL, and that an HTTP server answers there")
        default: return APIError(.transport, "\(text) (URLError \(error.code.rawValue))")
        }
    }

    /// The error for a connection that is not secure.
    private init(secure error: URLError) {
        let isOfClient = [.clientCertificateRejected, .clientCertificateRequired].contains(error.code)
        self.init(
            .transport, "\(error.localizedDescription) (URLError \(error.code.rawValue))",
            fix: isOfClient
                ? "answer the server's challenge in the delegate of a session of your own, with the client's certificate"
                : "check the server's certificate (openssl s_client -connect host:443 shows it: its names, its dates and "
                    + "the whole chain), the date of this machine, and the certificates that it trusts")
    }

    /// The fix for a host that was not found. If a Mac app in the App Sandbox may not open connections, the system
    /// reports every host as not found.
    static func fixForUnknownHost(
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        let isSandboxed = variables["APP_SANDBOX_CONTAINER_ID"] != nil
        return "check the base URL and the network connection"
            + (isSandboxed ? ", and turn on Outgoing Connections (Client) of the target's App Sandbox" : "")
    }

    /// The error for a call whose server does not answer before the timeout.
    ///
    /// - Parameter mayBeHeldBack: true if the session may delay the head of the response.
    package static func noResponse(within timeout: Duration, mayBeHeldBack: Bool = false) -> APIError {
        APIError(
            .timedOut, "no response arrived within \(timeout)",
            fix: "raise the timeout, or check the server" + (mayBeHeldBack ? fixForHeldBackHead : ""))
    }

    /// The error for a connection on which no bytes arrive for too long.
    ///
    /// - Parameters:
    ///   - received: the size of the body so far; nil if the head of the response has not arrived.
    ///   - mayBeHeldBack: true if the session may delay the head of the response.
    package static func idle(
        for limit: Duration, afterBytes received: Int64?, mayBeHeldBack: Bool = false
    ) -> APIError {
        let place = received.map { "in the body, after \($0) bytes" } ?? "before the response's head"
        return APIError(
            .timedOut, "nothing came for \(limit) \(place)",
            fix: "raise the idle timeout, or check the server"
                + (mayBeHeldBack && received == nil ? fixForHeldBackHead : ""))
    }

    private static let fixForHeldBackHead = """
        ; if it has answered, URLSession may wait for 512 bytes of the body to guess its type: let the server send the \
        type text/event-stream or application/json, X-Content-Type-Options: nosniff, or a first line of that size
        """

    init(_ error: EnvironmentError) { self.init(.environment, error.description, underlying: error) }

    /// Converts a problem found in a file or in text.
    package init(_ kind: Kind, _ problem: FileProblem) {
        let place = problem.location.isEmpty ? "" : "\(problem.location): "
        self.init(kind, place + problem.message, fix: problem.fix)
    }

    /// Converts any error thrown while a route is turned into a request.
    package init(encoding error: any Error) {
        if let error = error as? APIError {
            self = error
            return
        }
        guard case .invalidValue(_, let context)? = error as? EncodingError else {
            self.init(.encoding, "\(error)", underlying: error)
            return
        }
        // The error comes from an environment key that a parameter names.
        if let error = context.underlyingError as? APIError {
            self = error
            return
        }
        let path = CodingPath.text(context.codingPath)
        self.init(
            .encoding, context.debugDescription, codingPath: path.isEmpty ? nil : path, underlying: error)
    }

    /// - Parameters:
    ///   - type: the type that the body was decoded as.
    ///   - decoder: the decoder that read the body; nil for a decoder other than `JSONDecoder`.
    ///   - part: the decoded part of the response.
    ///   - secrets: the secrets that the error's texts must not contain.
    init(
        decoding error: any Error, of response: Response<Data>, as type: Any.Type, by decoder: JSONDecoder?,
        part: String, secrets: CallSecrets
    ) {
        if let error = error as? APIError {
            self = error
            return
        }
        guard let error = error as? DecodingError else {
            let reason = Self.text(of: error)
            self.init(.decoding, "\(part) does not decode as \(type): \(reason)", underlying: error)
            return
        }
        let contentType = response.headers[.contentType]
        let failure = DecodingFailure(error, in: response.data, contentType, by: decoder, secrets: secrets)
        let isArray = failure.isForeign && part.hasPrefix("line 1 ") && response.data.first == UInt8(ascii: "[")
        self.init(
            .decoding,
            "\(part) does not decode as \(type): "
                + (isArray ? "the stream is one JSON array, not a value per line" : failure.reason),
            fix: isArray
                ? "read it whole with send(_:as: [\(type)].self), or ask the server for lines or events"
                : response.data.isBlank
                    ? "read it as \(type)?, which is nil for an empty body, or as NoContent"
                    : failure.isForeign ? Self.fix(forForeign: response.data, contentType) : nil,
            codingPath: failure.place, fragment: failure.fragment, underlying: error)
        if failure.isForeign, Document.inspect(response.data) == nil {
            details.bodyLine = ServerMessage.firstLine(of: response.data)
        }
    }

    /// The fix for a body that is not JSON.
    private static func fix(forForeign body: Data, _ contentType: String?) -> String? {
        if body.starts(with: [0x1F, 0x8B]) {
            return "the bytes are gzip: let the server send the header Content-Encoding: gzip"
        }
        let type = contentType.map { MediaType(contentType: $0) }
        if type?.rawValue.contains(bytesOf: "html") ?? true || type?.isJSON == true,
            body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<")
        {
            return "check the base URL and the path: a web page answered, such as a sign-in page or that of a proxy"
        }
        guard let type, !type.isJSON else { return nil }
        return "check the route, or set a decoder for \(type.rawValue.printable) in the configuration's decoders"
    }
}

extension Error {
    /// True for a lost connection that `URLSession` reports on Apple platforms with a POSIX code instead of a
    /// `URLError`, for example after the app was in the background.
    fileprivate var isLostConnection: Bool {
        let error = self as NSError
        let codes: [POSIXErrorCode] = [.ECONNABORTED, .ECONNRESET, .ENOTCONN, .ETIMEDOUT, .EPROTO]
        return ["NSPOSIXErrorDomain", "kNWErrorDomainPOSIX"].contains(error.domain)
            && codes.contains { Int($0.rawValue) == error.code }
    }
}

extension URLError {
    /// True if the user or the system has denied access to the local network. Only the description of the network path
    /// reports this denial.
    fileprivate var isLocalNetworkProhibited: Bool {
        let underlying = (userInfo[NSUnderlyingErrorKey] as? NSError)?.userInfo ?? [:]
        return [userInfo, underlying].contains { info in
            info["_NSURLErrorNWPathKey"].map { "\($0)".contains(bytesOf: "Local network prohibited") } ?? false
        }
    }
}
