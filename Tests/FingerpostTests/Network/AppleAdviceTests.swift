import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// Errors that occur on Apple platforms only, and the fixes that they name.
@Suite(.inTurn) struct AppleAdviceTests {
    /// An error, and pieces of its fix.
    private static func fixes(_ error: APIError, _ parts: String...) -> [Bool?] {
        parts.map { error.fix?.contains($0) }
    }

    @Test func `A release build that Xcode made of another configuration is explained`() throws {
        let error = APIError(mocksInReleaseOf: try Environment("Demo", values: [:]))
        let fixes = Self.fixes(
            error, "\"$network\": \"sealed\" in the environment \"Demo\"",
            "unless the name of the configuration contains \"debug\"")
        #expect((error.kind, fixes) == (.mock, [true, true]))
    }

    @Test func `App Transport Security is named`() {
        let error = APIError(transport: URLError(.appTransportSecurityRequiresSecureConnection))
        let fixes = Self.fixes(error, "NSAllowsLocalNetworking", "NSExceptionDomains")
        #expect(
            (error.kind, error.message.contains("App Transport Security"), fixes) == (.transport, true, [true, true]))
    }

    private static let path = "_NSURLErrorNWPathKey"
    private static let prohibited = "unsatisfied (Local network prohibited), interface: en0"

    @Test func `A missing permission for the local network is named`() {
        let underlying = NSError(domain: "kCFErrorDomainCFNetwork", code: -1009, userInfo: [Self.path: Self.prohibited])
        for info in [[Self.path: Self.prohibited], [NSUnderlyingErrorKey: underlying]] as [[String: any Sendable]] {
            let error = APIError(transport: URLError(.notConnectedToInternet, userInfo: info))
            #expect(
                (error.kind, error.message, Self.fixes(error, "NSLocalNetworkUsageDescription"))
                    == (.transport, "the app is not allowed to use the local network", [true]))
        }
        // Other errors of the path mean that there is no connection.
        let info = [Self.path: "unsatisfied (No network route)"]
        #expect(APIError(transport: URLError(.notConnectedToInternet, userInfo: info)).kind == .offline)
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
            let fixes = Self.fixes(
                error, "timeout, or check the server", "X-Content-Type-Options: nosniff", "text/event-stream")
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

    @Test func `A body that the session wants again is a lost connection, with a reason`() {
        let error = APIError.bodyWantedAgain
        let isExplained = error.message.contains("the server or a proxy asked for credentials")
        #expect(
            (error.kind, error.isOfConnection, isExplained, Self.fixes(error, "RequestBody.data"))
                == (.transport, true, true, [true]))
    }

    private final class OwnStream: InputStream {
        init() { super.init(data: Data()) }
    }

    @Test func `A stream of an own class is refused, and Foundation's are not`() throws {
        let error = try #require(BodyStream.refusal(of: OwnStream.self, "the body's stream"))
        let isExplained = error.message.contains("is a OwnStream, a subclass of InputStream")
        #expect((error.kind, isExplained, Self.fixes(error, "InputStream(url:)")) == (.encoding, true, [true]))
        let file = try #require(InputStream(url: URL(fileURLWithPath: #filePath)))
        for stream in [InputStream(data: Data()), file] {
            #expect(BodyStream.refusal(of: type(of: stream), "the body's stream") == nil)
        }
    }
}
