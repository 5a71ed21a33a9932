import FingerpostFiles

/// A mock of an index: its files by variant, and what was read of them. An object, because every call of the mock uses
/// it. A name without files has one too, so that it is looked up once.
package final class MockStub: Sendable {
    /// The name by which the mock was looked up.
    package let name: String
    package let files: MockFiles
    /// Why no mock can have the name; nil for a valid name.
    package let objection: String?
    /// True if the mock has a default answer.
    package let hasUsual: Bool
    /// True if the mock has files, even if it has only variants.
    package let exists: Bool
    /// The default answer, with the key nil, and those of the variants, once they have been read.
    let answers = Locked<[ByteName?: StubAnswer]>([:])
    /// The variants for pages, once they have been read.
    let pages = Locked<[(variant: String, route: MockRoute)]?>(nil)

    init(_ name: String, in listing: MockListing) {
        self.name = name
        objection = MockFileName.objection(to: name)
        files = objection == nil ? listing.files(of: name) : MockFiles(name: name)
        (hasUsual, exists) = (files.hasUsual, !files.isEmpty)
    }

    /// The names of the variants, in the order of their files.
    package var variants: [String] { files.variants.map(\.name) }

    package func has(_ variant: String) -> Bool { files.variant(variant) != nil }
}
