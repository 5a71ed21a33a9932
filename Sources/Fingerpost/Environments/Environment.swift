package import FingerpostFiles
public import Foundation

/// One named configuration: the values of `Environments/<Name>-Env.plist` or `.json`.
///
/// ```swift
/// let environment = try APIEnvironment.current
/// let retries = try environment.value("retries", as: Int.self)
/// let host = try environment.value("analytics.host", as: URL.self)      // nested keys by dotted path
/// let settings = try environment.decode(AppSettings.self)               // or everything at once
/// ```
///
/// An environment is merged from layers, and later layers override earlier layers. The first layers are `Base-Env`, the
/// environments named by `$extends`, and the environment's own file. The `<Name>-Secrets` files for these layers
/// follow; these files stay out of the repository. The last layer contains environment variables of the process, such
/// as `ENV__ANALYTICS__HOST`. A single ``EnvironmentError`` reports the problems in all layers. `fingerpost-cli
/// explain` shows where a value comes from.
///
/// The `FingerpostPlugin` plugin generates a property for each key, so that call sites cannot misspell keys:
/// `environment.apiBasePath`, and `try APIEnvironment.apiBasePath` for the current environment. Without the plugin, run
/// `swift run fingerpost-cli generate` to write the same properties to a file, or write the properties by hand:
///
/// ```swift
/// extension APIEnvironment {
///     static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
/// }
/// ```
///
/// SwiftUI also has a type called `Environment`, a property wrapper, so the examples call this type ``APIEnvironment``.
/// In files that import both modules, write `@SwiftUI.Environment(\.dismiss)` for the property wrapper, or add the line
/// `typealias Environment = SwiftUI.Environment` to the app.
public struct Environment: Sendable {
    /// Whether servers or mocks answer calls.
    public enum Network: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Servers answer.
        case live
        /// Mocks answer. A call without a mock fails, and no request is ever sent to a server.
        case sealed
        /// A mock answers if the route has a mock; otherwise the server answers.
        case mocksThenLive

        /// Compares by strictness: `live` is the least strict network, and `sealed` is the strictest.
        public static func < (network: Network, other: Network) -> Bool {
            network != other && (network == .live || other == .sealed)
        }
    }

    /// The name that selects the environment: the part of the file name before `-Env`.
    public var name: String { layers.name }
    /// The value of the key `description`; by default the environment's name. An environment with the description
    /// `Testing` is sealed: see ``network-swift.property``.
    public var description: String { layers.description }
    /// The environment's own file; nil if the environment was created in code.
    public var file: URL? { contents.file }
    /// Whether servers or mocks answer calls: the value of `$network`; `live` by default.
    ///
    /// The testing environment (see ``isTesting``) is `sealed` unless its own file sets `$network`. For the testing
    /// environment, `$network` in other layers is ignored.
    public var network: Network { contents.network }

    /// Everything that was loaded for an environment. An environment is one reference to its contents, so that passing
    /// an environment along with every call is cheap.
    final class Contents: Sendable {
        let layers: LayeredEnvironment
        /// The environment's own file; nil if the environment was created in code.
        let file: URL?
        /// True if the environment was selected by the app's name, or because there is no other environment.
        let isGuess: Bool
        /// True if the environment was chosen in the running app.
        let isChosen: Bool
        /// True if another environment may be chosen in the running app. The environment of a call may then differ from
        /// the current environment.
        let maySwitch: Bool
        // The following properties contain the values of the reserved keys `$dialect`, `$timeout`, `$retry`, `$network`
        // and `$log`.

        /// Whether servers or mocks answer calls.
        let network: Environment.Network
        /// How values are written in queries and forms; nil means the client's dialect.
        let dialect: QueryDialect?
        /// The time limit for a call; nil means the client's time limit.
        let timeout: Duration?
        /// How often a call is sent again after a failure; nil means the client's policy.
        let retry: RetryPolicy?
        /// True if `$network` is `sealed`; false if only the environment's description seals it.
        let isSealedByNetwork: Bool
        /// Which calls are logged.
        let log: EnvironmentRules.Log

        let baseURLs: [String: BaseURL]

        init(_ layers: LayeredEnvironment, file: URL?, isGuess: Bool, isChosen: Bool = false) {
            self.layers = layers
            self.file = file
            self.isGuess = isGuess
            self.isChosen = isChosen
            maySwitch = isChosen || layers.isSwitchable
            dialect = layers[.dialect]?.node.string.flatMap(EnvironmentRules.Dialect.init).map { dialect in
                switch dialect {
                case .standard: .standard
                case .rails: .rails
                case .java: .java
                case .indexed: QueryDialect(arrays: .indexed)
                }
            }
            timeout = layers[.timeout]?.node.number.map { .seconds(min($0, Double(Duration.maximumSeconds))) }
            retry =
                switch layers[.retry]?.value {
                case .string("standard"): .standard
                case .string("off"): .off
                case .integer(let attempts): RetryPolicy(maximumAttempts: Int(clamping: attempts))
                default: nil
                }
            network = Environment.Network(rawValue: layers.network.rawValue) ?? .sealed
            log = layers[.log]?.node.string.flatMap(EnvironmentRules.Log.init) ?? .off
            isSealedByNetwork = layers.isSealedByNetwork
            var baseURLs = [String: BaseURL]()
            layers.root.forEachLeaf { path, setting in
                guard case .string(let text) = setting.value, BaseURL.isPlain(text) || URLText.url(text) != nil
                else { return }
                // A URL that is not a valid base URL is skipped here. The URL causes an error only when a
                // call uses the URL as its base URL.
                baseURLs[path()] = try? BaseURL(text)
            }
            self.baseURLs = baseURLs
        }
    }

    let contents: Contents
    /// An object that identifies the environment. Copies of an environment share this object.
    package var identity: any AnyObject & Sendable { contents }

    /// True if nothing has requested this environment, and there is no other environment.
    var isOnlyOne: Bool { contents.isGuess && !EnvironmentSelection.current(variables: [:]).products.contains(name) }

    package var layers: LayeredEnvironment { contents.layers }
    /// True if `$network` seals the environment. A description alone can seal an environment too.
    package var isSealedByNetwork: Bool { contents.isSealedByNetwork }
    /// The values that are valid base URLs, keyed by dotted path. Each URL is parsed only once.
    package var baseURLs: [String: BaseURL] { contents.baseURLs }

    /// Creates an environment in code, for tests and previews.
    ///
    /// - Parameters:
    ///   - name: the environment's name, which is also its description unless the values contain `description`.
    ///   - values: keys and values as in an environment file.
    /// - Throws: ``EnvironmentError`` that lists every problem in the values.
    public init(_ name: String, values: Parameters = [:]) throws(EnvironmentError) {
        let document = try Document(
            encoding: values, path: "the environment \"\(name)\"", called: "the values of the environment \"\(name)\"")
        try self.init(file: nil, layers: LayeredEnvironment(document, name: name, parser: LinkedParser.value))
    }

    /// - Parameter needsValues: false to accept invalid values, for a caller that only needs to know whether the
    ///   environment is sealed: see ``ProcessEnvironment/sealing()``.
    /// - Throws: one error that lists every problem in the layers.
    @inline(never)
    init(
        file: URL?, layers: LayeredEnvironment, isGuess: Bool = false, isChosen: Bool = false, needsValues: Bool = true
    ) throws(EnvironmentError) {
        let problems = layers.problems.filter(\.isError)
        if !problems.isEmpty, needsValues || !layers.knowsItsSeal {
            throw EnvironmentError(.invalidFile, problems).redacted(by: CallSecrets(secrets: layers.secretTexts))
        }
        // Builds and tests report the warnings of files. Warnings about environment variables are reported here,
        // because only the running process knows them.
        for problem in layers.problems where !problem.isError && problem.path?.begins(with: "environment ") == true {
            StandardError.warn(problem.description)
        }
        contents = Contents(layers, file: file, isGuess: isGuess, isChosen: isChosen)
    }

    private init(_ contents: Contents) { self.contents = contents }

    /// A copy of this environment that is marked as chosen in the running app.
    package var markedAsChosen: Environment {
        Environment(Contents(layers, file: file, isGuess: false, isChosen: true))
    }

    /// True for the testing environment: the description is `Testing`, or the environment's name is `Testing` and its
    /// own file sets no description. To find out whether requests can be sent, use ``isSealed``.
    public var isTesting: Bool { layers.isTesting }

    /// True if only mocks answer: see ``network-swift.property``.
    public var isSealed: Bool { network == .sealed }

    /// All keys in alphabetical order, with nested keys as dotted paths. The reserved keys, which start with `$`, are
    /// left out.
    public var keys: [String] { layers.paths.inOrder }

    /// The text that names this environment in messages.
    var label: String { file == nil ? name : "\(description) (\(path))" }

    /// The text that names the environment's own file in messages.
    package var path: String { file.map(FilePath.display) ?? "the environment \"\(name)\"" }
}

/// Another name for ``Environment``. SwiftUI has no type called `APIEnvironment`, so use this name in apps that import
/// SwiftUI.
public typealias APIEnvironment = Environment

extension Environment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The description and the file; for an environment created in code, only the name.
    public var debugDescription: String { label }

    /// The environment's properties and keys. The values are left out because they can be secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["name": name, "description": description, "network": network, "file": file as Any, "keys": keys])
    }
}

extension CallSecrets {
    init(_ environment: Environment?, credentials: [String] = [], issued: [String] = []) {
        self.init(secrets: environment?.layers.secretTexts ?? [], credentials: credentials, issued: issued)
    }
}

extension Document {
    /// Creates a document from values in code, like the document of a file.
    ///
    /// - Parameter name: the name of the values in errors.
    convenience init(encoding values: Parameters, path: String, called name: String) throws(EnvironmentError) {
        do {
            let text = String(decoding: try values.json(), as: UTF8.self)
            // Foundation on Linux drops a byte order mark at the start of a text, but keeps an escaped mark.
            try self.init(reading: Data(text.replacing(bytesOf: "\u{FEFF}", with: "\\ufeff").utf8), path: path)
        } catch {
            throw EnvironmentError(.invalidFile, "\(name) cannot be encoded: \(EncodingError.text(of: error))")
        }
    }
}
