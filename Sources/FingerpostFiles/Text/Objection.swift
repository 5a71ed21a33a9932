/// Why a value of a file cannot stand, and what to write instead.
package struct Objection: Error, Hashable, Sendable {
    package let message: String
    package let fix: String?

    init(_ message: String, fix: String? = nil) {
        self.message = message
        self.fix = fix
    }
}
