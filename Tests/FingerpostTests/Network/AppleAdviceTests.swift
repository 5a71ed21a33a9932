import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// Errors that occur on Apple platforms only, and the fixes that they name.
@Suite(.inTurn) struct AppleAdviceTests {
    private final class OwnStream: InputStream {
        init() { super.init(data: Data()) }
    }

    private static func offline(_ info: [String: any Sendable]) -> APIError {
        APIError(transport: URLError(.notConnectedToInternet, userInfo: info))
    }

    /// Errors, and what their descriptions contain.
    private static func advice() throws -> [(APIError, [String])] {
        let path = "_NSURLErrorNWPathKey"
        let prohibited = [path: "unsatisfied (Local network prohibited), interface: en0"]
        let underlying = NSError(domain: "kCFErrorDomainCFNetwork", code: -1009, userInfo: prohibited)
        let localNetwork = [
            "transport: the app is not allowed to use the local network\n", "NSLocalNetworkUsageDescription",
        ]
        return [
            (
                APIError(mocksInReleaseOf: try Environment("Demo", values: [:])),
                [
                    "mock: ", "\"$network\": \"sealed\" in the environment \"Demo\"",
                    "unless the name of the configuration contains \"debug\"",
                ]
            ),
            (
                APIError(transport: URLError(.appTransportSecurityRequiresSecureConnection)),
                ["transport: App Transport Security", "NSAllowsLocalNetworking", "NSExceptionDomains"]
            ),
            (offline(prohibited), localNetwork), (offline([NSUnderlyingErrorKey: underlying]), localNetwork),
            (offline([path: "unsatisfied (No network route)"]), ["offline: "]),
            (.bodyWantedAgain, ["transport: ", "the server or a proxy asked for credentials", "RequestBody.data"]),
            (
                try #require(BodyStream.refusal(of: OwnStream.self, "the body's stream")),
                ["encoding: ", "is a OwnStream, a subclass of InputStream", "InputStream(url:)"]
            ),
        ]
    }

    @Test func `Each error says what is wrong and how to fix it`() throws {
        for (error, parts) in try Self.advice() {
            let missing = parts.filter { !"\(error)".contains($0) }
            #expect(("\(error)".hasPrefix(parts[0]), missing) == (true, []), "\(error)")
        }
    }

    @Test func `A body that the session wants again is a lost connection, and Foundation's own streams are sent`()
        throws
    {
        #expect(APIError.bodyWantedAgain.isOfConnection)
        let file = try #require(InputStream(url: URL(fileURLWithPath: #filePath)))
        for stream in [InputStream(data: Data()), file] {
            #expect(BodyStream.refusal(of: type(of: stream), "the body's stream") == nil)
        }
    }

    @Test func `In the App Sandbox, the permission to connect is named`() {
        let fixes = [["APP_SANDBOX_CONTAINER_ID": "com.example.app"], [:]].map {
            APIError.fixForUnknownHost(variables: $0)
        }
        #expect(fixes.map { $0.contains("Outgoing Connections (Client)") } == [true, false])
    }

    @Test(arguments: [true, false])
    func `The error for a stream without a head says that the session may hold it back`(mayBeHeldBack: Bool) {
        let errors: [APIError] = [
            .noResponse(within: .seconds(5), mayBeHeldBack: mayBeHeldBack),
            .idle(for: .seconds(5), afterBytes: nil, mayBeHeldBack: mayBeHeldBack),
        ]
        for error in errors {
            let fixes = ["timeout, or check the server", "X-Content-Type-Options: nosniff", "text/event-stream"]
                .map { error.fix?.contains($0) }
            #expect((error.kind, fixes) == (.timedOut, [true, mayBeHeldBack, mayBeHeldBack]))
        }
        let late = APIError.idle(for: .seconds(5), afterBytes: 3, mayBeHeldBack: mayBeHeldBack)
        #expect(late.fix == "raise the idle timeout, or check the server")
    }

    /// Errors of the system, and whether each is a lost connection.
    private static let losses: [(domain: String, code: POSIXErrorCode, isLost: Bool)] = [
        (NSPOSIXErrorDomain, .ECONNABORTED, true), (NSPOSIXErrorDomain, .ECONNRESET, true),
        (NSPOSIXErrorDomain, .ENOTCONN, true), (NSPOSIXErrorDomain, .ETIMEDOUT, true),
        ("kNWErrorDomainPOSIX", .EPROTO, true), (NSPOSIXErrorDomain, .EACCES, false), ("Other", .ENOTCONN, false),
    ]

    @Test func `A connection that the system lost is a lost connection`() {
        for (domain, code, isLost) in Self.losses {
            let error = APIError(transport: NSError(domain: domain, code: Int(code.rawValue)))
            let isLostConnection = (error.underlying as? URLError)?.code == .networkConnectionLost
            #expect((error.kind, isLostConnection) == (.transport, isLost), "\(domain) \(code)")
        }
    }

    /// A space of each kind that servers and connections protect, and the start of the error for its refusal.
    private static let spaces = [
        "NSURLAuthenticationMethodServerTrust": "onChallenge refused the certificate of a.example",
        "NSURLAuthenticationMethodClientCertificate": "a.example asked for a client certificate",
        NSURLAuthenticationMethodHTTPBasic: nil,
    ]

    private static let answers: [(URLSession.AuthChallengeDisposition, isRefusal: Bool)] = [
        (.cancelAuthenticationChallenge, true), (.rejectProtectionSpace, true), (.useCredential, false),
        (.performDefaultHandling, false),
    ]

    @Test func `A certificate that the app refused is no cancelled task`() {
        for (method, message) in Self.spaces {
            let space = URLProtectionSpace(
                host: "a.example", port: 443, protocol: "https", realm: nil, authenticationMethod: method)
            for (answer, isRefusal) in Self.answers {
                let error = APIError(refusing: answer, space)
                let isExplained = message.flatMap { error?.message.hasPrefix($0) }
                let (kind, isRight): (APIError.Kind?, Bool?) =
                    isRefusal && message != nil ? (.transport, true) : (nil, nil)
                #expect(
                    (error?.kind, isExplained, error.map { $0.fix != nil }) == (kind, isRight, isRight), "\(method)")
            }
        }
    }
}
