import FingerpostFiles

/// Generates the Swift accessors for the keys of the environment files. The accessors contain the keys' names and
/// types, but never their values.
struct EnvironmentAccessors {
    /// The names of the members of `Environment`. If a key has one of these names, the accessor's name ends in `Value`:
    /// `nameValue`.
    static let reserved: Set = [
        "_declared", "_declares", "current", "customMirror", "debugDescription", "decode", "description", "explain",
        "file", "isSealed", "isTesting", "keys", "load", "name", "Network", "network", "optionalValue", "value",
    ]

    private(set) var text = SwiftText()
    /// The problems with valid keys that cannot have an accessor, and with keys whose accessors would have the same
    /// name.
    private(set) var problems: [FileProblem] = []
    /// True if any accessor returns a type from Foundation.
    private(set) var needsFoundation = false
    /// The access level of the accessors and their types, followed by a space; empty for `internal`.
    private let modifier: String

    init(_ schema: EnvironmentSchema) {
        modifier = schema.access.modifier
        text.line("/// The keys of the environment files.")
        write("nonisolated extension Fingerpost.Environment", schema.keys, isTop: true)
    }

    private mutating func write(_ head: String, _ keys: [EnvironmentSchema.Key], isTop: Bool) {
        text.open(head)
        if !isTop { text.line("fileprivate let _environment: Fingerpost.Environment") }
        /// The key for each Swift name in use. A key with a dictionary uses two names: one for its accessor and one for
        /// its type.
        var taken: [String: String] = [:]
        for (index, key) in keys.enumerated() {
            if index > 0 || !isTop { text.line() }
            guard let identifier = identifier(for: key, isTop: isTop) else { continue }
            let names = [identifier] + (key.type == .dictionary ? [SwiftIdentifier.typeName(identifier)] : [])
            if let name = names.first(where: { taken[$0] != nil }), let other = taken[name] {
                report(
                    .error, key, "the keys \"\(other)\" and \"\(key.name)\" both need the name \(name) in Swift",
                    fix: "rename one of them")
                text.line("// \"\(SwiftText.comment(key.name))\" is left out: \(name) is taken.")
                continue
            }
            for name in names { taken[name] = key.name }
            write(key, identifier, isTop: isTop)
        }
        text.close()
    }

    /// Returns the name of a key's accessor. If the key cannot have an accessor, writes a comment about the key and
    /// returns nil.
    private mutating func identifier(for key: EnvironmentSchema.Key, isTop: Bool) -> String? {
        let reason: String
        if var identifier = SwiftIdentifier.make(key.name) {
            if isTop, identifier == "description" {
                text.line("// \"description\" is a property of every environment.")
                return nil
            }
            let isReserved = isTop ? Self.reserved.contains(identifier) : identifier == "_environment"
            if isReserved || SwiftIdentifier.unusable.contains(identifier) { identifier += "Value" }
            if key.type == .dictionary, !key.isSecret { return identifier }
            if let type = key.type, type.swiftName != nil { return identifier }
            reason =
                key.type == .dictionary
                ? "it is a dictionary of secrets; list its keys in \"$secrets\""
                : "its values have no common type"
        } else {
            reason = "its name cannot be a Swift identifier"
        }
        text.line("// \"\(SwiftText.comment(key.name))\" is left out: \(reason).")
        // If the type of a key differs between environments, ``EnvironmentParity`` reports the key.
        if key.type != nil {
            report(
                .warning, key, "the key \"\(key.path)\" has no accessor: \(reason)",
                fix: "rename it, or read it with value(\"\(key.path)\")")
        }
        return nil
    }

    private mutating func write(_ key: EnvironmentSchema.Key, _ identifier: String, isTop: Bool) {
        let name = SwiftIdentifier.escaped(identifier)
        let type: String
        let literal = SwiftText.literal(key.path)
        let environment = isTop ? "" : "_environment."
        var read = "\(environment)_declared(\(literal))"
        if key.type == .dictionary {
            type = SwiftIdentifier.typeName(identifier)
            read = "\(type)(_environment: \(isTop ? "self" : "_environment"))"
            if key.isOptional { read = "\(environment)_declares(\(literal)) ? \(read) : nil" }
        } else {
            let plain = key.type?.swiftName ?? "String"
            needsFoundation = needsFoundation || ["URL", "Date", "Data"].contains { plain.contains($0) }
            type = key.isSecret ? "Fingerpost.Secret<\(plain)>" : plain
        }
        let full = type + (key.isOptional ? "?" : "")
        let what = "`\(SwiftText.comment(key.path))`"
        let remarks =
            (key.isSecret ? ", a secret" : "") + (key.isOptional ? ", which an environment may omit" : "")
        text.line("/// The key \(what)\(remarks).")
        text.line("\(modifier)var \(name): \(full) { \(read) }")
        if isTop {
            text.line("/// The key \(what) of the current environment.")
            let getter = "get throws(Fingerpost.EnvironmentError) { try current.\(name) }"
            text.line("\(modifier)static var \(name): \(full) { \(getter) }")
        }
        guard key.type == .dictionary else { return }
        text.line()
        text.line("/// The keys of \(what).")
        write("\(modifier)nonisolated struct \(type): Sendable", key.keys, isTop: false)
    }

    private mutating func report(
        _ severity: FileProblem.Severity, _ key: EnvironmentSchema.Key, _ message: String, fix: String
    ) {
        guard let source = key.settings.first?.setting.source else { return }
        problems.append(source.problem(message, fix: fix).with(severity))
    }
}
