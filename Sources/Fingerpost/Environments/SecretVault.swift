import FingerpostFiles
import Foundation

/// Hides an environment's secret values during decoding. The JSON that is decoded contains a token in place of each
/// secret. Only ``Secret`` can exchange the token for the value, so no other type can decode the value.
struct SecretVault: Sendable {
    /// The error for a secret that cannot be decoded as the requested type. The error does not contain the secret's
    /// value.
    struct Unfit: Error {
        let key: String
        let type: Any.Type
    }

    static let userInfoKey = CodingUserInfoKey(rawValue: "org.fingerpost.secrets")

    private let environment: Environment
    private var layers: LayeredEnvironment { environment.layers }

    /// - Returns: nil if the environment has no secrets.
    init?(_ environment: Environment) {
        if environment.layers.rules.secrets.isEmpty { return nil }
        self.environment = environment
    }

    /// Returns the value of a secret. Returns a null node for a secret that gets a placeholder. Returns nil if the key
    /// is missing or not secret, or if its value is null and gets no placeholder.
    private func node(_ key: String) -> Node? {
        guard layers.rules.secrets.contains(key), let setting = layers.root[path: key] else { return nil }
        return setting.value.isNull && layers.standIn(for: key) == nil ? nil : setting.node
    }

    /// Returns the key of the secret at a path, or nil if there is no secret at the path. For an element of a secret
    /// list, the function returns the list's key.
    func key(at path: String) -> String? { [path, String(path.prefix { $0 != "[" })].first { node($0) != nil } }

    /// Returns a value with a token in place of each secret.
    ///
    /// - Parameter path: the dotted path of the value; empty for the root.
    func hidden(_ node: Node, at path: String) -> Node {
        // The token is a list of a boolean and a string. Types other than `Secret` do not decode such a list by
        // accident.
        if self.node(path) != nil { return Node(.array([Node(.boolean(true)), Node(.string(path))])) }
        guard let entries = node.entries else { return node }
        return Node(
            .dictionary(
                entries.map { Node.Entry(key: $0.key, node: hidden($0.node, at: Setting.path(of: $0.key, in: path))) }))
    }

    /// Returns the secret's value and key if there is a token at the decoder's position; nil if there is no token.
    static func value<Value: Decodable>(
        _ type: Value.Type, from decoder: any Decoder
    ) throws -> (value: Value, key: String)? {
        // Anything that is not a token is an ordinary value. The caller decodes the value and reports errors.
        guard let userInfoKey, let vault = decoder.userInfo[userInfoKey] as? SecretVault,
            var token = try? decoder.unkeyedContainer(), token.count == 2, (try? token.decode(Bool.self)) == true,
            let key = try? token.decode(String.self), let node = vault.node(key)
        else { return nil }
        for candidate in vault.candidates(node, for: key)
        where !(type is any HoldsURLs.Type) || candidate.textThatIsNoURL == nil {
            // The decoding error would show the secret, so ignore that error; `Unfit` is thrown after the loop.
            if let value = try? JSONDecoder.standard.decode(type, from: try candidate.json()) {
                return (value, key)
            }
        }
        throw Unfit(key: key, type: type)
    }

    /// The values that may be decoded in place of the token: the secret's own value or, if the secret is missing in a
    /// sealed environment, placeholders of several types. The host of the placeholder URL never resolves.
    private func candidates(_ node: Node, for key: String) -> [Node] {
        guard case .null = node.value else { return [node] }
        let texts = ["<secret \(key)>", "https://secret.invalid", "2001-01-01", ""].map { Node(.string($0)) }
        return texts + [.integer(0), .boolean(false), .array([]), .dictionary([])].map { Node($0) }
    }
}
