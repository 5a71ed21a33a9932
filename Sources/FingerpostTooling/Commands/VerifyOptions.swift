/// The options of `fingerpost-cli verify`.
package struct VerifyOptions: Hashable, Sendable {
    /// The environment that the build must select; nil for any that is not for tests.
    package var environment: String?
    /// The path of the folder that was reviewed; nil to compare nothing.
    package var source: String?
    /// True for a demo, which answers from mocks.
    package var allowsMocks = false
    /// True to accept an environment that lets users switch to another one.
    package var allowsSwitching = false
    package var isJSON = false

    package init() {}
}
