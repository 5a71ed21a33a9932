import FingerpostFiles

/// The default response of a mock, or a variant, as its files describe the response. A class, because every call of the
/// mock uses the same value.
package final class StubDefinition: Sendable {
    package let name: String
    /// The variant; nil for the default response.
    package let variant: String?
    /// The body file and the status, as the names of the files say. The settings take precedence.
    package let named: StubResponse
    package let settings: MockSettings?
    /// ``named`` with the body, after the body has been read.
    let whole = Locked<StubResponse?>(nil)

    /// - Parameters:
    ///   - file: the body file's path relative to the mocks folder; nil if there is none.
    ///   - status: the status from the names of the files.
    init(name: String, variant: String?, file: String?, status: Int, settings: MockSettings?) {
        (self.name, self.variant, self.settings) = (name, variant, settings)
        var named = StubResponse()
        (named.body, named.status) = (file, status)
        self.named = named
    }

    /// The body file's path relative to the mocks folder; nil when the response has no body file.
    package var file: String? { named.body }
}
