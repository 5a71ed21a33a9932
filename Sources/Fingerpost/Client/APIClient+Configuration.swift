public import Foundation

extension APIClient {
    /// How a client sends. Every setting has a default.
    public struct Configuration: Sendable {
        /// The environment; by default ``Environment/current``, asked at every call. The environment of an ``APIScope``
        /// comes before either.
        public var environment: Environment?
        /// The base URL; by default the environment's value for ``baseURLKey``. With it no environment is needed.
        public var baseURL: URL?
        /// The environment's key for the base URL; `baseURL` by default.
        public var baseURLKey = "baseURL"
        /// The folder of the mocks; by default `Mocks/` beside the environment's folder, or else in the resources of the
        /// main bundle or the working directory.
        public var mocks: URL?
        /// Headers of every request, which those of a route replace name by name. `Accept: application/json` by default.
        public var headers: HTTPHeaders = [.accept: "application/json"]
        /// How values are written in queries and forms.
        public var dialect = QueryDialect.standard
        /// Writes JSON bodies; by default with ISO 8601 dates and sorted keys. Do not change it after it is set.
        public var encoder = JSONEncoder.standard
        /// Reads JSON bodies; by default with ISO 8601 dates, with and without fractional seconds. Do not change it after
        /// it is set.
        public var decoder = JSONDecoder.standard
        /// The time for a whole call, redirects and middleware included; 60 seconds by default. Fractions count.
        public var timeout = Duration.seconds(60)
        /// Carries the requests; by default a ``URLSessionTransport`` of the client's own. Not used under a sealed
        /// environment, where mocks answer.
        public var transport: (any Transport)?
        /// The steps between the client and the transport, the outermost first.
        public var middleware: [any Middleware] = []

        public init() {}
    }
}
