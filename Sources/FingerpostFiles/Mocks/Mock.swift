/// What a folder of mocks has for a name and a variant.
package struct Mock: Sendable {
    package let name: String
    /// nil for the answer that is given when no variant is asked for.
    package let variant: String?
    /// The body's path below the folder; nil where the settings say everything.
    package let file: String?
    /// The status that the body's name says: 200 when it says none.
    package let status: Int
    package let settings: MockSettings?
    /// True when calls are counted: the settings of some variant may ask how many there were.
    package let isCounted: Bool

    package init(
        name: String, variant: String? = nil, file: String?, status: Int = 200, settings: MockSettings? = nil,
        isCounted: Bool = false
    ) {
        self.name = name
        self.variant = variant
        self.file = file
        self.status = status
        self.settings = settings
        self.isCounted = isCounted
    }
}
