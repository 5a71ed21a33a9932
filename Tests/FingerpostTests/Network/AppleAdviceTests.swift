import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// Errors that occur on Apple platforms only, and the fixes that they name.
@Suite(.inTurn) struct AppleAdviceTests {
    @Test func `A release build that Xcode made of another configuration is explained`() throws {
        let error = APIError(mocksInReleaseOf: try Environment("Demo", values: [:]))
        #expect(error.kind == .mock)
        #expect(error.fix?.contains("\"$network\": \"sealed\" in the environment \"Demo\"") == true)
        #expect(error.fix?.contains("unless the name of the configuration contains \"debug\"") == true)
    }

    @Test func `App Transport Security is named`() {
        let error = APIError(transport: URLError(.appTransportSecurityRequiresSecureConnection))
        #expect(error.kind == .transport && error.message.contains("App Transport Security"))
        #expect(error.fix?.contains("NSAllowsLocalNetworking") == true)
        #expect(error.fix?.contains("NSExceptionDomains") == true)
    }

    private static let path = "_NSURLErrorNWPathKey"
    private static let prohibited = "unsatisfied (Local network prohibited), interface: en0"

    @Test(
        arguments: [
            [path: prohibited],
            [
                NSUnderlyingErrorKey: NSError(
                    domain: "kCFErrorDomainCFNetwork", code: -1009, userInfo: [path: prohibited])
            ],
        ] as [[String: any Sendable]])
    func `A missing permission for the local network is named`(info: [String: any Sendable]) {
        let error = APIError(transport: URLError(.notConnectedToInternet, userInfo: info))
        #expect(error.kind == .transport && error.message == "the app is not allowed to use the local network")
        #expect(error.fix?.contains("NSLocalNetworkUsageDescription") == true)
    }

    @Test func `Other errors of the network path mean that there is no connection`() {
        let info = [Self.path: "unsatisfied (No network route)"]
        #expect(APIError(transport: URLError(.notConnectedToInternet, userInfo: info)).kind == .offline)
    }

    @Test(arguments: [(["APP_SANDBOX_CONTAINER_ID": "com.example.app"], true), ([:], false)])
    func `In the App Sandbox, the permission to connect is named`(variables: [String: String], isSandboxed: Bool) {
        let fix = APIError.fixForUnknownHost(variables: variables)
        #expect(fix.contains("Outgoing Connections (Client)") == isSandboxed)
    }

    @Test(arguments: [true, false])
    func `The error for a stream without a head says that the session may hold it back`(mayBeHeldBack: Bool) {
        let errors: [APIError] = [
            .noResponse(within: .seconds(5), mayBeHeldBack: mayBeHeldBack),
            .idle(for: .seconds(5), afterBytes: nil, mayBeHeldBack: mayBeHeldBack),
        ]
        for error in errors {
            let parts = ["timeout, or check the server", "X-Content-Type-Options: nosniff", "text/event-stream"]
            let isNamed = parts.map { error.fix?.contains($0) }
            #expect((error.kind, isNamed) == (.timedOut, [true, mayBeHeldBack, mayBeHeldBack]))
        }
        let late = APIError.idle(for: .seconds(5), afterBytes: 3, mayBeHeldBack: mayBeHeldBack)
        #expect(late.fix == "raise the idle timeout, or check the server")
    }

    @Test(
        arguments: [
            (NSPOSIXErrorDomain, POSIXErrorCode.ECONNABORTED, true), (NSPOSIXErrorDomain, .ECONNRESET, true),
            (NSPOSIXErrorDomain, .ENOTCONN, true), (NSPOSIXErrorDomain, .ETIMEDOUT, true),
            ("kNWErrorDomainPOSIX", .EPROTO, true), (NSPOSIXErrorDomain, .EACCES, false), ("Other", .ENOTCONN, false),
        ])
    func `A connection that the system lost is a lost connection`(domain: String, code: POSIXErrorCode, isLost: Bool) {
        let error = APIError(transport: NSError(domain: domain, code: Int(code.rawValue)))
        #expect((error.kind, (error.underlying as? URLError)?.code == .networkConnectionLost) == (.transport, isLost))
    }

    /// A space of each kind that servers and connections protect, and the start of the error for its refusal.
    private static let spaces: [(method: String, message: String?)] = [
        ("NSURLAuthenticationMethodServerTrust", "onChallenge refused the certificate of a.example"),
        ("NSURLAuthenticationMethodClientCertificate", "a.example asked for a client certificate"),
        (NSURLAuthenticationMethodHTTPBasic, nil),
    ]

    @Test(
        arguments: spaces,
        [
            (URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge, true), (.rejectProtectionSpace, true),
            (.useCredential, false), (.performDefaultHandling, false),
        ])
    func `A certificate that the app refused is no cancelled task`(
        kind: (method: String, message: String?), answer: (URLSession.AuthChallengeDisposition, isRefusal: Bool)
    ) {
        let space = URLProtectionSpace(
            host: "a.example", port: 443, protocol: "https", realm: nil, authenticationMethod: kind.method)
        let error = APIError(refusing: answer.0, space)
        guard answer.isRefusal, let message = kind.message else {
            #expect(error == nil)
            return
        }
        #expect(error?.kind == .transport && error?.message.hasPrefix(message) == true && error?.fix != nil)
    }

    @Test func `A body that the session wants again is a lost connection, with a reason`() {
        let error = APIError.bodyWantedAgain
        #expect(error.kind == .transport && error.isOfConnection)
        let isExplained = error.message.contains("the server or a proxy asked for credentials")
        #expect((isExplained, error.fix?.contains("RequestBody.data")) == (true, true))
    }

    private final class OwnStream: InputStream {
        init() { super.init(data: Data()) }
    }

    @Test func `A stream of an own class is refused, and Foundation's are not`() throws {
        let refused = try #require(BodyStream.refusal(of: OwnStream.self, "the body's stream"))
        let isExplained = refused.message.contains("is a OwnStream, a subclass of InputStream")
        #expect((refused.kind, isExplained, refused.fix?.contains("InputStream(url:)")) == (.encoding, true, true))
        let file = InputStream(url: URL(fileURLWithPath: #filePath))
        for stream in [InputStream(data: Data()), file].compactMap({ $0 }) {
            #expect(BodyStream.refusal(of: type(of: stream), "the body's stream") == nil)
        }
    }
}
