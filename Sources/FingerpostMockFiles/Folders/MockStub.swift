import FingerpostDocuments
import FingerpostFiles

/// A mock in an index: its files by variant, and everything that was read from these files. The type is a class,
/// because all calls of the mock share one object. A name without files has an object too, so that each name is looked
/// up only once.
package final class MockStub: Sendable {
    /// The bodies and the settings of the default response, or of a variant.
    package struct Files: Sendable {
        /// The name of the variant; nil for the default response.
        let variant: String?
        /// The body files. More than one body file is an error.
        package fileprivate(set) var bodies: [MockFileName] = []
        package fileprivate(set) var settings: MockFileName?

        var isEmpty: Bool { bodies.isEmpty && settings == nil }

        fileprivate var paths: [String] { ([settings].compactMap { $0 } + bodies).map(\.path) }

        fileprivate mutating func add(_ file: MockFileName) {
            if file.isSettings { settings = file } else { bodies.append(file) }
        }
    }

    struct Known {
        /// The settings of the default response, or the problems of these settings. All variants use these settings, so
        /// the result is stored: a large file is not read again for each variant. If there are no settings, the list is
        /// empty. A list is used because it takes less space than an optional value of this large type.
        var settings: Result<[MockSettings], InvalidFile>?
        /// The responses by variant. The default response has the key nil.
        var definitions: [ByteName?: StubDefinition] = [:]
        /// The variants for pages.
        var pages: MockPages?
    }

    /// The name that the mock was looked up with.
    package let name: String
    /// The common start of the file names: `user` for the name `user.json`.
    let stem: String
    /// The reason why the name is invalid. Nil for a valid name.
    let objection: String?
    /// The files of the default response, for calls without a variant.
    package let usual: Files
    /// The files of the variants, in the order of their files.
    package let variants: [Files]
    /// True if the mock has a default response.
    package var hasUsual: Bool { !usual.isEmpty }
    /// True if the mock has files, even if it has only variants.
    package var exists: Bool { hasUsual || !variants.isEmpty }
    /// The position of each variant in ``variants``.
    private let places: [ByteName: Int]
    /// Everything that was read from the files.
    let known = Locked(Known())

    /// - Parameter name: the name in a route, with or without `.json`.
    init(_ name: String, in index: MockIndex) {
        self.name = name
        let isFileName = name.ends(with: MockFileName.bodySuffix) && index[name + MockFileName.bodySuffix] == nil
        stem = isFileName ? name.mockName : name
        objection = MockFileName.objection(to: name)
        var (usual, variants, places) = (Files(variant: nil), [Files](), [ByteName: Int]())
        if objection == nil {
            for file in index.files(of: stem) {
                guard let variant = file.variant else {
                    usual.add(file)
                    continue
                }
                let place = places[ByteName(variant), default: variants.endIndex]
                if place == variants.endIndex {
                    variants.append(Files(variant: variant))
                    places[ByteName(variant)] = place
                }
                variants[place].add(file)
            }
            if usual.bodies.isEmpty, index.hasFile(stem) { usual.bodies = [MockFileName(stem)] }
            // If there is no other body, a file that is named after a 2xx status, such as `logout.204`, is the default
            // response. An image such as avatar.201.png is a mock of its own.
            if usual.bodies.isEmpty {
                let bodies = variants.flatMap(\.bodies).filter {
                    $0.isOfStatus && $0.saidStatus?.isSuccessStatus == true
                }
                usual.bodies = bodies.map(\.usual)
            }
        }
        (self.usual, self.variants, self.places) = (usual, variants, places)
    }

    /// The names of the variants, in the order of their files.
    package var variantNames: [String] { variants.compactMap(\.variant) }

    /// Returns the files of a variant, or of the default response if `variant` is nil. Returns nil if there are no
    /// files.
    package subscript(variant: String?) -> Files? {
        guard let variant else { return hasUsual ? usual : nil }
        return places[ByteName(variant)].map { variants[$0] }
    }

    /// True if a file is a body or the settings of the variant, or of the default response if `variant` is nil.
    package func has(_ file: String, as variant: String?) -> Bool {
        self[variant]?.paths.contains(where: file.isSame) == true
    }

    /// The paths of all files, relative to the folder. The settings and bodies of the default response come first.
    package var files: [String] {
        var seen: Set<ByteName> = []
        return (usual.paths + variants.flatMap(\.paths)).filter { seen.insert(ByteName($0)).inserted }
    }
}
