import FingerpostFiles

/// Why a value cannot be filled into an answer.
struct FillFailure: Error {
    let message: String
    var fix: String?

    init(message: String, fix: String? = nil) {
        (self.message, self.fix) = (message, fix)
    }

    /// - Parameters:
    ///   - what: what is missing, as in `query value`.
    ///   - names: the names that exist.
    init(missing what: String, _ name: String, of names: [String]) {
        self.init(
            message: "there is no \(what) \"\(name)\"" + NearestName.hint(name, in: names),
            fix: names.isEmpty ? nil : "use one of \(names.sorted().prefix(20).joined(separator: ", "))")
    }
}
