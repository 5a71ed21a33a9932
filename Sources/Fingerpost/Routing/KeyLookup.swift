package import FingerpostFiles

/// Looks up the values of the environment keys that a route names. The lookup happens when a request is built.
package enum KeyLookup: Sendable {
    /// The values come from the environment of a call.
    case environment(Environment?)
    /// The values come from a closure. Audits of mocks use this case.
    case closure(@Sendable (_ key: String, _ place: Place) throws -> Node)

    /// The part of a route that names a key.
    package enum Place: String, Sendable {
        case path, query, header, body
        /// The path or the query, if `\(revealing:)` inserts the key.
        case revealed
    }

    /// The lookup for the parameters that are being encoded.
    @TaskLocal static var current = KeyLookup.environment(nil)

    /// Returns the value of a key as text, for a path or a header.
    ///
    /// - Throws: ``APIError`` if the value is not text, a number or a boolean.
    func text(_ key: String, at place: Place) throws -> String {
        let value = try value(key, at: place).value
        if let text = value.scalarText { return text }
        let noun = place == .revealed ? Place.path : place
        throw APIError(
            .invalidRoute,
            "the environment key \(key.quoted) is \(value.kind), which cannot be written into a \(noun)",
            fix: "name a key whose value is text, a number or a boolean")
    }

    /// - Throws: ``APIError`` if the key is not in the environment or has no value, or if a URL would contain a secret.
    fileprivate func value(_ key: String, at place: Place) throws -> Node {
        switch self {
        case .closure(let value): return try value(key, place)
        case .environment(nil):
            throw APIError(
                .invalidRoute, "the route names the environment key \(key.quoted), and there is no environment",
                fix: "send the route with a client that has one")
        case .environment(let environment?):
            if let problem = Self.problem(with: key, at: place, in: environment.layers) {
                throw APIError(
                    .invalidRoute, "the route names the environment key \(key.quoted), which \(problem.message)",
                    fix: problem.fix)
            }
            let node = environment.layers.root[path: key]?.node ?? Node(.null)
            return node.value.isNull ? environment.layers.standIn(for: key).map { Node(.string($0)) } ?? node : node
        }
    }

    /// Returns the reason why a route cannot use an environment key, worded as the end of a sentence about the key.
    /// Returns nil if the route can use the key.
    ///
    /// - Parameter needsValue: false to accept a secret without a value, because the committed files contain no values
    ///   for secrets.
    package static func problem(
        with key: String, at place: Place, in layers: LayeredEnvironment, needsValue: Bool = true
    ) -> FileProblem? {
        let name = layers.name
        guard let setting = layers.root[path: key] else {
            return FileProblem(
                "\(name) does not have" + NearestName.hint(key, in: layers.paths),
                fix: "correct the key, or add it to the environment")
        }
        // Servers and proxies store URLs in their logs.
        if layers.isSecret(key), place == .path || place == .query {
            return FileProblem(
                "is a secret of \(name), and URLs are kept in logs",
                fix: "send it in a header or a body, or write \\(revealing: \(key.quoted)) into the path")
        }
        // The committed files contain no values for secrets, and a sealed environment needs no secrets.
        let isExempt = needsValue ? layers.standIn(for: key) != nil : layers.isSecret(key)
        if setting.value.isNull, !isExempt {
            return FileProblem(
                "has no value in \(name)", fix: "give it a value")
        }
        if case .dictionary = setting.value {
            return FileProblem(
                "is a dictionary in \(name)", fix: "name one of the keys in it")
        }
        return nil
    }
}

/// A parameter that has the value of a key in the environment of the call.
struct EnvironmentValue: Encodable, Sendable {
    let key: String

    func encode(to encoder: any Encoder) throws {
        let isInURL = (encoder as? QueryEncoder)?.isOfURL ?? false
        try KeyLookup.current.value(key, at: isInURL ? .query : .body).encode(to: encoder)
    }
}

extension Optional where Wrapped == any Encodable & Sendable {
    /// The value of an environment key: `["client_id": .environment("oauth.clientID")]`. The value is looked up in the
    /// environment of the call when the request is built. If a scope or `choose(_:)` of the product
    /// `FingerpostSwitching` selects another environment, the value comes from that environment.
    ///
    /// In JSON, the value keeps its kind, such as number or boolean. A secret can be sent in a body, but not in a
    /// query.
    ///
    /// - Parameter key: the key's dotted path. If the environment of a call does not have the key, the call fails with
    ///   an ``APIError`` of the kind `invalidRoute`.
    public static func environment(_ key: String) -> Self { EnvironmentValue(key: key) }
}

extension HTTPHeaders {
    /// Returns the headers with each environment key replaced by its value.
    ///
    /// - Throws: ``APIError`` if a key has no value, or if its value cannot be written into a header.
    func resolved(by lookup: KeyLookup) throws(APIError) -> HTTPHeaders {
        if keys.isEmpty { return self }
        var resolved = HTTPHeaders(self)
        do {
            for case (let name, let key?) in keys.map({ ($0.name, $0.key) }) {
                resolved.add(name, try lookup.text(key, at: .header))
            }
        } catch {
            throw APIError(encoding: error)
        }
        return resolved
    }

    /// Returns the headers that may be sent to another origin.
    ///
    /// - Parameters:
    ///   - authorization: the names of the client's authorization headers.
    ///   - keys: true to leave out headers with the values of environment keys, because these values are meant for the
    ///     environment's server.
    func following(authorization: Set<Name>, withoutKeys keys: Bool) -> HTTPHeaders {
        var rest = HTTPHeaders(filter { $0.mayFollow(authorization: authorization) })
        for field in self.keys where !keys { if let key = field.key { rest.add(field.name, environment: key) } }
        return rest
    }
}
