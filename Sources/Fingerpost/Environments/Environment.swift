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
/// An environment is put together from layers, of which the last wins: `Base-Env`, the environments that `$extends` names, the
/// file of its own, `<Name>-Secrets` (which stays out of the repository), and process variables such as `ENV__ANALYTICS__HOST`. All
/// that is wrong with any of them is one ``EnvironmentError``. ``explain(_:)-swift.method`` says where a value came from.
///
/// The plugin `FingerpostPlugin` gives the keys names, so that call sites cannot misspell them: `environment.apiBasePath`, and
/// `try Environment.apiBasePath` for the current one. Without it, `fingerpost generate` writes the same extension, or you do:
///
/// ```swift
/// extension Environment {
///     static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
/// }
/// ```
///
/// In a file that imports SwiftUI too, write `@SwiftUI.Environment` for the property wrapper of the same name.
public struct Environment: Sendable {
    /// How calls are answered.
    public enum Network: String, Sendable, Hashable, CaseIterable, Comparable {
        /// By the servers that the routes lead to.
        case live
        /// By mocks alone. Nothing is ever sent.
        case sealed
        /// By mocks where there is one for the route, and by the servers otherwise.
        case mocksThenLive

        /// True when less can reach a server with the other.
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

    /// The name by which it is selected: what stands before `-Env` in the file's name.
    public var name: String { layers.name }
    /// The file's value for `description`, or else the name. `Testing` makes the environment sealed.
    public var description: String { layers.description }
    /// The file it was read from; nil when it was made in code.
    public var file: URL? { contents.file }
    /// How calls are answered: the file's value for `$network`; by default `sealed` for the description `Testing` and
    /// `live` for any other.
    public var network: Network { calls.network }

    /// All that was read, behind one reference: an environment is passed along with every call.
    final class Contents: Sendable {
        let layers: LayeredEnvironment
        /// The target's own file; nil for values that were made in code.
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
                // A URL that cannot be a base is an error only when it is used as one.
                baseURLs[path()] = try? BaseURL(url)
            }
            self.baseURLs = baseURLs
        }
    }

    let contents: Contents

    /// The layers.
    var layers: LayeredEnvironment { contents.layers }
    /// What the file says of calls.
    var calls: CallSettings { contents.calls }
    /// The values that can be base URLs, by path: taken apart once.
    var baseURLs: [String: BaseURL] { contents.baseURLs }

    /// An environment made in code, for tests and previews.
    ///
    /// - Parameters:
    ///   - name: becomes the description too, unless the values have one.
    ///   - values: what a file would hold.
    public init(_ name: String, values: Parameters = [:]) throws(EnvironmentError) {
        let document: Document
        do {
            document = try Document(
                json: JSONObjectWriter.data(values, encoder: .standard), path: "the environment \"\(name)\"")
        } catch {
            throw EnvironmentError(
                .invalidFile, "the values of the environment \"\(name)\" cannot be written: \(error)")
        }
        try self.init(file: nil, layers: LayeredEnvironment(document, name: name))
    }

    /// - Throws: every problem of the layers at once.
    init(file: URL?, layers: LayeredEnvironment) throws(EnvironmentError) {
        let problems = layers.problems.filter(\.isError)
        if !problems.isEmpty { throw EnvironmentError(.invalidFile, problems) }
        contents = Contents(layers, file: file)
    }

    /// True when the description is `Testing`.
    public var isTesting: Bool { description == LayeredEnvironment.sealedDescription }

    /// True when only mocks answer: see ``network-swift.property``.
    public var isSealed: Bool { network == .sealed }

    /// Every key, nested ones by dotted path, in alphabetical order; without the reserved ones that start with `$`.
    public var keys: [String] { layers.paths.sorted() }

    /// How people are told which environment this is.
    var label: String { file == nil ? name : "\(description) (\(path))" }

    /// The target's own file, as shown to people.
    var path: String { file.map(FilePath.display) ?? "the environment \"\(name)\"" }
}

extension Environment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { label }

    /// The keys, and no values: they can be secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["name": name, "description": description, "network": network, "file": file as Any, "keys": keys])
    }
}
