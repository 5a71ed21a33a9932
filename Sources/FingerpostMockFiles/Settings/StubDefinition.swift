import FingerpostFiles

/// The default response of a mock, or a variant, as the mock's files describe it. The type is a class, because all
/// calls of the mock share one value.
package final class StubDefinition: Sendable {
    package let name: String
    /// The variant; nil for the default response.
    package let variant: String?
    /// The response that the names of the files describe: its body file and its status. The settings take precedence
    /// over this response.
    package let named: StubResponse
    package let settings: MockSettings?
    /// ``named`` with the body. Nil until the body has been read.
    let whole = Locked<StubResponse?>(nil)

    /// - Parameters:
    ///   - file: the body file's path relative to the mocks folder. Nil if there is no body file.
    ///   - status: the status in the names of the files.
    init(name: String, variant: String?, file: String?, status: Int, settings: MockSettings?) {
        (self.name, self.variant, self.settings) = (name, variant, settings)
        var named = StubResponse()
        (named.body, named.status) = (file, status)
        self.named = named
    }

    /// The body file's path relative to the mocks folder; nil when the response has no body file.
    package var file: String? { named.body }
}
