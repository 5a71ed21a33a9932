/// `{env.tenant}`: a key of the environment, in a path and in the headers of a mock. Mocks have no other placeholder in
/// braces; what is filled into a body is named by a pointer.
package enum EnvironmentPlaceholder {
    /// What comes before the key. A brace comes after it.
    package static let start = "{env."
}
