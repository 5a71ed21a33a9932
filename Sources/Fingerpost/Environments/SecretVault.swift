import FingerpostFiles
import Foundation

/// The secret values of an environment while something is decoded from it. In the JSON that is decoded a token stands for each, which
/// ``Secret`` alone can turn into the value, so that no other type gets to see it.
struct SecretVault: Sendable {
    /// A secret is not what its reader says it is. The value is no part of the error.
    struct Unfit: Error {
        let key: String
        let type: Any.Type
    }

    static let userInfoKey = CodingUserInfoKey(rawValue: "org.fingerpost.secrets")

    private let nodes: [String: Node]
    private let isSealed: Bool

    /// - Returns: nil when the environment has no secrets.
    init?(_ layers: LayeredEnvironment) {
        if layers.rules.secrets.isEmpty { return nil }
        isSealed = layers.isSealed
        nodes = layers.rules.secrets.reduce(into: [:]) { nodes, key in
            guard let setting = layers.root[path: key] else { return }
            if setting.isNull, !layers.hasStandIn(for: key) { return }
            nodes[key] = setting.node
        }
    }

    func holds(_ key: String) -> Bool { nodes[key] != nil }

    /// The secret that a path leads to or into.
    func key(at path: String) -> String? {
        if holds(path) { return path }
        let beforeIndex = String(path.prefix { $0 != "[" })
        return holds(beforeIndex) ? beforeIndex : nil
    }

    /// A value with a token in the place of each secret.
    ///
    /// - Parameter path: the dotted path of the value; empty for that of a whole environment.
    func hidden(_ node: Node, at path: String) -> Node {
        // A list of a boolean and a text: no type but `Secret` decodes that by accident.
        if holds(path) { return Node(.array([Node(.boolean(true)), Node(.string(path))])) }
        guard let entries = node.entries else { return node }
        return Node(
            .dictionary(
                entries.map { Node.Entry(key: $0.key, node: hidden($0.node, at: Setting.path(of: $0.key, in: path))) }))
    }

    /// The value of the token that the decoder stands at, with its key; nil when there is none.
    static func value<Value: Decodable>(
        _ type: Value.Type, from decoder: any Decoder
    ) throws -> (value: Value, key: String)? {
        // What is no token is a value like any other, which the caller decodes and tells about.
        guard let userInfoKey, let vault = decoder.userInfo[userInfoKey] as? SecretVault,
            var token = try? decoder.unkeyedContainer(), token.count == 2, (try? token.decode(Bool.self)) == true,
            let key = try? token.decode(String.self), let node = vault.nodes[key]
        else { return nil }
        for candidate in vault.candidates(node, for: key, as: type) {
            // The error would show the secret; that none fits is told below.
            if let value = try? JSONDecoder.standard.decode(type, from: try candidate.json()) {
                return (value, key)
            }
        }
        throw Unfit(key: key, type: type)
    }

    /// The value, or for one that a sealed environment came without what stands in for it.
    private func candidates(_ node: Node, for key: String, as type: Any.Type) -> [Node] {
        guard case .null = node.value, isSealed else { return [node] }
        // Any text would pass as a URL, and lead nowhere that code is ready for.
        if type == URL.self { return [Node(.string("https://secret.invalid"))] }
        return [.string("<secret \(key)>"), .integer(0), .boolean(false), .array([])].map { Node($0) }
    }
}
