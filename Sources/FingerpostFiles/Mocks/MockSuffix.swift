/// What stands behind the name of a mock in the name of a file: `locked.423.json` of `login.locked.423.json`.
struct MockSuffix {
    /// nil for the usual answer.
    private(set) var variant: String?
    private(set) var status: Int?
    private(set) var isSettings = false

    /// nil where the file belongs to no mock of that name.
    ///
    /// - Parameters:
    ///   - text: without the dot behind the mock's name.
    ///   - type: the extension of the mock's name, whose variants have their names before it: `avatar.small.png`.
    init?(_ text: String, type: String? = nil) {
        var parts = text.parts(between: ".")
        if parts.last == "json", parts.dropLast().last == "mock" {
            isSettings = true
            parts.removeLast(2)
        }
        var hasType = isSettings
        if let type {
            guard let last = parts.popLast(), String(last).isSame(as: type) else { return nil }
            hasType = true
        } else if !isSettings, parts.last == "json" {
            hasType = true
            parts.removeLast()
        }
        guard let first = parts.first else { return }
        status = parts.last.flatMap { MockFileName.status($0) }
        variant = String(first)
        let isNamed = parts.count == 1 ? hasType || status != nil : parts.count == 2 && status != nil && !isSettings
        guard isNamed, Self.isVariant(first), parts.count == 1 || MockFileName.status(first) == nil else { return nil }
    }

    /// Dots and slashes part names from one another.
    static func isVariant(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && name != "mock" && !name.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }
    }
}
