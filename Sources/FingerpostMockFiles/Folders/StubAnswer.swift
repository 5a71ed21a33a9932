import FingerpostFiles

/// The files of a mock that were found for its default answer or for a variant. It is an object, because every call of
/// the mock uses it.
package final class StubAnswer: Sendable {
    package let name: String
    /// The variant; nil for the default answer.
    package let variant: String?
    /// What the names of the files say: the body file, and the status. The settings take precedence.
    package let named: StubResponse
    package let settings: MockSettings?
    /// ``named`` with the body, once it has been read.
    let whole = Locked<StubResponse?>(nil)

    /// - Parameters:
    ///   - file: the body file's path relative to the mocks folder; nil if there is none.
    ///   - status: the status from the body file's name, or 200.
    init(
        name: String, variant: String? = nil, file: String?, status: Int = 200, settings: MockSettings? = nil
    ) {
        (self.name, self.variant, self.settings) = (name, variant, settings)
        var named = StubResponse()
        (named.body, named.status) = (file, status)
        self.named = named
    }

    /// The body file's path relative to the mocks folder; nil when the answer has no body file.
    package var file: String? { named.body }
    /// The status from the body file's name, or 200.
    package var status: Int { named.status ?? 200 }
}
