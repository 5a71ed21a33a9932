public import Foundation

/// The settings of an ``APIClient``. Every setting has a default.
public struct ClientConfiguration: Sendable {
    /// The client's environment; by default ``Environment/current``, which is read again for every call. The
    /// environment of an ``APIScope`` takes precedence over this setting and over ``Environment/current``.
    public var environment: Environment?
    /// The base URL; by default the environment's value for ``baseURLKey``. With a base URL, the folder `Environments/`
    /// is optional. The environment still applies if the folder exists, or if `APP_ENVIRONMENT` or Info.plist selects
    /// an environment. If this environment is sealed, mocks answer. If the environment cannot be loaded, calls fail.
    /// For a client that does not use the environment, use ``APIClient/init(baseURL:_:)-(_,APIClient.Configuration)``.
    public var baseURL: URL?
    /// The environment key whose value is the base URL; `baseURL` by default.
    public var baseURLKey = "baseURL"
    /// The mocks folder; by default `Mocks/` beside the environment's folder. If the default folder does not exist, the
    /// client looks for `Mocks/` in the loaded bundles of tests, the app and frameworks. Next, the client looks in the
    /// resources that the plugin bundled and, unless the process is an app, in the working directory. Last, the client
    /// looks for mocks at the top level of a bundle.
    public var mocks: URL?
    /// The headers sent with every request; a route's header replaces the header of the same name in this setting. The
    /// default is `Accept: application/json`. Calls that decode nothing send `Accept: */*` instead of this default:
    /// downloads, streams, ``APIClient/data(for:)``, and calls for `String`, `Data` and ``NoContent``. With a
    /// ``wrapper``, calls for `String` and ``NoContent`` keep the default, because the wrapper is decoded.
    ///
    /// A header with the name of a credential, such as `Authorization`, `Cookie` or `X-Api-Key`, is sent to the base
    /// URL's origin. A route with an absolute URL, a host or a ``Routable/baseURLKey`` can go to another origin. That
    /// origin gets the header only if the route's policy allows it: see ``AuthorizationPolicy/required`` and
    /// ``AuthorizationPolicy/anywhere``.
    public var headers: HTTPHeaders = [.accept: "application/json"]
    /// How values are written in queries and forms; ``QueryDialect/standard`` by default. The environment's `$dialect`
    /// (`standard`, `rails`, `java` or `indexed`) takes precedence over this setting, and the route's dialect takes
    /// precedence over both.
    public var dialect = QueryDialect.standard
    /// The encoder for JSON bodies; by default, it writes ISO 8601 dates and sorted keys. Queries and forms use
    /// ``dialect`` instead of the encoder. The encoder does not convert the names of ``Parameters``. Do not modify the
    /// encoder after setting it.
    public var encoder = JSONEncoder.makeStandard()
    /// The client's credentials; none by default. The client sends its credentials to the base URL's origin, unless the
    /// route's policy is ``AuthorizationPolicy/none``. Another origin gets the credentials only if the route's policy
    /// allows that: see ``AuthorizationPolicy/required`` and ``AuthorizationPolicy/anywhere``. A redirect to another
    /// origin drops the header of the credentials, even if the route or middleware has set it.
    public var authorization: Authorization?
    /// A closure that changes each request after the request is built; none by default. This closure runs after the
    /// route's own closure, and before middleware and authorization. An error that the closure throws fails the call
    /// before anything is sent.
    public var configure: (@Sendable (inout URLRequest, Route) throws -> Void)?
    /// A closure that throws an error if a response reports a failure with a success status; none by default. The error
    /// fails the call and provides the message of the ``APIError``. For a stream, the closure receives the head of the
    /// response with an empty body.
    public var validate: (@Sendable (Response<Data>, Route) throws -> Void)?
    /// The JSON object that the service puts around every value; none by default.
    public var wrapper: ResponseWrapper?
    /// The type that the service's error bodies are decoded as; the result is in ``APIError/response``. None by
    /// default.
    public var errorResponse: (any ErrorResponse.Type)?
    /// The headers in which the service sends its identifier of a request (``APIError/requestID``); empty by default.
    /// The client also reads the usual headers, such as `x-request-id`.
    public var requestIDHeaders: [HTTPHeaders.Name] = []
    /// The decoders for content types other than JSON, for example `["application/xml": XMLDecoder()]`; empty by
    /// default. The keys are media types in lower case. If `decoders` has no entry for a content type, ``decoder``
    /// decodes the body.
    public var decoders: [String: any BodyDecoder] = [:]
    /// The decoder for JSON bodies; by default, it reads ISO 8601 dates with and without fractional seconds. Do not
    /// modify the decoder after setting it.
    public var decoder = JSONDecoder.makeStandard()
    /// How long a whole call may take, including redirects and middleware; 60 seconds by default. For a stream, the
    /// limit applies until the head of the response arrives. Fractions of a second are supported. The environment's
    /// `$timeout` (in seconds) takes precedence over this setting, and the route's timeout takes precedence over both.
    public var timeout = Duration.seconds(60)
    /// The maximum size of a response's body in memory, in bytes; 256 MiB by default. The bytes are counted after they
    /// are decompressed. A larger body fails the call with ``APIError/Kind-swift.enum/transport`` as soon as the limit
    /// is exceeded. The limit does not apply to mocks, or to files that `download(_:to:)` writes. On Linux,
    /// `URLSession` has no flow control: bytes that arrive before the client can count them also take memory.
    public var maximumResponseSize = 256 << 20
    /// The limits for a stream's bytes in memory.
    public var streamLimits = StreamLimits()
    /// How often a call is retried after a temporary failure; nil by default, which means never. The environment's
    /// `$retry` takes precedence over this setting, and the route's policy takes precedence over both.
    public var retry: RetryPolicy?
    /// Decides whether a call is retried after a response that ``RetryPolicy`` cannot judge, such as a 200 with a body
    /// that reports a busy server. If the closure is nil (the default) or returns nil, the policy decides.
    ///
    /// The closure is called for every response of a call with a retry policy. The policy's number of attempts, its
    /// waits and the retry budget also apply to retries that the closure requests.
    public var retryRule: (@Sendable (Response<Data>) -> RetryDecision?)?
    /// The maximum number of calls that go to one host at the same time; nil means no limit. Each scheme and port of a
    /// host has its own limit. Further calls wait in order, and the wait counts towards the timeout. A call that is
    /// redirected to another host still counts for the first host. A stream counts until it ends. Calls that mocks
    /// answer do not wait.
    ///
    /// On Linux, the default is 6, the number of connections that `URLSession` opens to a host. Without this limit,
    /// further calls would wait inside `URLSession`, where a call takes more memory. On Apple platforms, the default is
    /// nil, because no limit is needed there. HTTP/2 and HTTP/3 carry about a hundred requests at the same time on one
    /// connection. With HTTP/1.1, `URLSession` queues the requests itself.
    public var maximumCallsPerHost: Int? = standardMaximumCallsPerHost

    #if canImport(FoundationNetworking)
        private static let standardMaximumCallsPerHost: Int? = 6
    #else
        private static let standardMaximumCallsPerHost: Int? = nil
    #endif
    /// How long a call may wait for the next bytes of the response. By default, this setting is nil, and only the
    /// timeout limits the wait. The route's idle timeout takes precedence over this setting.
    public var idleTimeout: Duration?
    /// The transport that sends the requests; by default a new ``URLSessionTransport``. The transport is not used for
    /// calls that mocks answer, for example under a sealed environment.
    public var transport: (any Transport)?
    /// The steps between the client and the transport, starting with the outermost step; none by default.
    public var middleware: [any Middleware] = []
    /// The observers that are notified of every call of the client when the call has ended; none by default. See
    /// ``CallObserver``.
    public var observers: [any CallObserver] = []

    /// Creates a configuration with default settings.
    public init() {}
}

extension ClientConfiguration: CustomStringConvertible, CustomReflectable {
    /// The base URL or the environment, without credentials.
    public var description: String {
        "ClientConfiguration(\(shownBaseURL ?? environment?.label ?? "the current environment"))"
    }

    /// The settings without credentials. For the app's own types, such as middleware, only the names of the types are
    /// shown.
    public var customMirror: Mirror {
        let headers = HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, secrets.hide($0.shownValue)) })
        return Mirror(
            self,
            children: [
                "environment": environment as Any, "baseURL": shownBaseURL as Any, "baseURLKey": baseURLKey,
                "mocks": mocks as Any, "headers": headers, "dialect": dialect, "authorization": authorization as Any,
                "timeout": timeout, "transport": transport.map { "\(type(of: $0))" } as Any,
                "middleware": middleware.map { "\(type(of: $0))" },
                "observers": observers.map { "\(type(of: $0))" }, "decoders": decoders.keys.inOrder,
            ], displayStyle: .struct)
    }

    private var shownBaseURL: String? { baseURL.map { secrets.hide(Redaction.url($0.absoluteString)) } }

    private var secrets: CallSecrets { environment.map { CallSecrets($0) } ?? .inForce }
}

/// The limits for a stream's bytes in memory.
public struct StreamLimits: Sendable, Equatable {
    /// The maximum size of one line or event, in bytes; 1 MiB by default. A larger line or event causes an error of the
    /// kind `transport`.
    // 32-bit: an Int is wide enough, because the setting limits what is in memory
    public var elementSize = 1 << 20
    /// How many bytes may wait for a loop that reads more slowly than the server sends; 16 MiB by default. If more
    /// bytes wait, the stream ends with an error of the kind `transport`.
    ///
    /// On Apple platforms, the client pauses the session's task when half of this number of bytes waits, but some more
    /// bytes may still arrive. Foundation on Linux cannot pause a task.
    // 32-bit: an Int is wide enough, because the setting limits what is in memory
    public var bufferSize = 16 << 20

    /// The default limits.
    public init() {}
}
