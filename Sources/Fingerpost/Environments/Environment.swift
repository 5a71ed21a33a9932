import FingerpostFiles
public import Foundation

/// One named configuration: the values of `Environments/<Name>-Env.plist` or `.json`.
///
/// ```swift
/// let environment = try Environment.current
/// let retries = try environment.value("retries", as: Int.self)
/// let host = try environment.value("analytics.host", as: URL.self)      // nested keys by dotted path
/// let settings = try environment.decode(AppSettings.self)               // or everything at once
/// ```
///
/// An environment is merged from layers, of which the last wins: `Base-Env`, the environments that `$extends` names,
/// the environment's own file, `<Name>-Secrets` (which stays out of the repository), and process variables such as
/// `ENV__ANALYTICS__HOST`. One ``EnvironmentError`` reports the problems of all layers. ``explain(_:)-swift.method``
/// shows where a value comes from.
///
/// The plugin `FingerpostPlugin` generates a property for each key, so that call sites cannot misspell keys:
/// `environment.apiBasePath`, and `try Environment.apiBasePath` for the current environment. Without the plugin, run
/// `fingerpost generate` to write the same extension, or write it by hand:
///
/// ```swift
/// extension Environment {
///     static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
/// }
/// ```
///
/// In a file that also imports SwiftUI, write `@SwiftUI.Environment` for the property wrapper of the same name.
public struct Environment: Sendable {
    /// How calls are answered.
    public enum Network: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Servers answer.
        case live
        /// Mocks answer. A request without a mock is an error, and nothing is ever sent.
        case sealed
        /// A mock answers if the route has one, otherwise the server does.
        case mocksThenLive

        /// Orders by strictness: `live` < `mocksThenLive` < `sealed`.
        public static func < (network: Network, other: Network) -> Bool {
            network.strictness < other.strictness
        }

        private var strictness: Int {
            switch self {
            case .live: 0
            case .mocksThenLive: 1
            case .sealed: 2
            }
        }
    }

    /// The name that selects the environment: the part of the file name before `-Env`.
    public var name: String { layers.name }
    /// The value of `description`; the name by default. `Testing` makes the environment sealed by default.
    public var description: String { layers.description }
    /// The environment's own file; nil if it was made in code.
    public var file: URL? { contents.file }
    /// How calls are answered: the value of `$network`; by default `sealed` if the description is `Testing`, otherwise
    /// `live`.
    public var network: Network { calls.network }

    /// Everything loaded, behind one reference because an environment is passed along with every call.
    final class Contents: Sendable {
        let layers: LayeredEnvironment
        /// The environment's own file; nil for values made in code.
        let file: URL?
        let calls: CallSettings
        let baseURLs: [String: BaseURL]

        init(_ layers: LayeredEnvironment, file: URL?) {
            self.layers = layers
            self.file = file
            calls = CallSettings(layers)
            var baseURLs: [String: BaseURL] = [:]
            layers.root.forEachLeaf { path, setting in
                guard case .string(let text) = setting.value, let url = URLText.url(text) else { return }
                // A value that is not a valid base URL is an error only when it is used as one.
                baseURLs[path()] = try? BaseURL(url)
            }
            self.baseURLs = baseURLs
        }
    }

    let contents: Contents

    var layers: LayeredEnvironment { contents.layers }
    /// The settings for calls: `$network`, `$dialect` and `$timeout`.
    var calls: CallSettings { contents.calls }
    /// The values that are valid base URLs, by path, parsed once.
    var baseURLs: [String: BaseURL] { contents.baseURLs }

    /// An environment made in code, for tests and previews.
    ///
    /// - Parameters:
    ///   - name: also the description, unless the values contain one.
    ///   - values: the contents of the environment, as in a file.
    /// - Throws: ``EnvironmentError`` with every problem in the values.
    public init(_ name: String, values: Parameters = [:]) throws(EnvironmentError) {
        let document: Document
        do {
            document = try Document(
                json: JSONObjectWriter.data(values, encoder: .standard), path: "the environment \"\(name)\"")
        } catch {
            throw EnvironmentError(
                .invalidFile, "the values of the environment \"\(name)\" cannot be encoded: \(error)")
        }
        try self.init(file: nil, layers: LayeredEnvironment(document, name: name))
    }

    /// - Throws: every problem of the layers in one error.
    init(file: URL?, layers: LayeredEnvironment) throws(EnvironmentError) {
        let problems = layers.problems.filter(\.isError)
        if !problems.isEmpty { throw EnvironmentError(.invalidFile, problems) }
        contents = Contents(layers, file: file)
    }

    /// True if the description is `Testing`. Use ``isSealed`` to ask whether requests can be sent.
    public var isTesting: Bool { description == LayeredEnvironment.sealedDescription }

    /// True if only mocks answer: see ``network-swift.property``.
    public var isSealed: Bool { network == .sealed }

    /// Every key in alphabetical order, nested keys as dotted paths, without the reserved keys that start with `$`.
    public var keys: [String] { layers.paths.sorted() }

    /// The environment's name in messages.
    var label: String { file == nil ? name : "\(description) (\(path))" }

    /// The environment's own file in messages.
    var path: String { file.map(FilePath.display) ?? "the environment \"\(name)\"" }
}

extension Environment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The description and the file, or the name of an environment made in code.
    public var debugDescription: String { label }

    /// The keys without the values, which can be secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["name": name, "description": description, "network": network, "file": file as Any, "keys": keys])
    }
}
