/// The options of `fingerpost-cli verify`.
package struct VerifyOptions: Hashable, Sendable {
    /// The environment that the build must select; nil for any that is not for tests.
    var environment: String?
    /// The path of the folder that was reviewed; nil to compare nothing.
    var source: String?
    /// True for a demo, which answers from mocks.
    var allowsMocks = false
    /// True to accept an environment that lets users switch to another one.
    var allowsSwitching = false
    package var isJSON = false

    init() {}
}
