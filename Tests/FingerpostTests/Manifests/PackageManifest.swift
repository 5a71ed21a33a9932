import TestSupport

/// What the package's manifest and the imports of its sources say of the modules that apps link.
struct PackageManifest {
    /// The declarations of the library products.
    let libraries: [String]

    init() throws {
        libraries = try RepositoryFiles.text("Package.swift").matches(of: /\.library\([^)]*\)/).map {
            String($0.output)
        }
    }

    /// The modules that apps may link: the targets of the products, and what their sources import. Only tests link the
    /// products whose names end in `Testing`.
    func appModules() throws -> [String] {
        var modules: Set<String> = []
        var rest: [String] = []
        for product in libraries where !product.contains(/name: "\w*Testing"/) {
            for target in product.drop(while: { $0 != "[" }).matches(of: /"(\w+)"/) {
                rest.append(String(target.output.1))
            }
        }
        while let module = rest.popLast() {
            guard modules.insert(module).inserted else { continue }
            for file in Self.files(of: module) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for line in text.matches(of: /(?m)^[\w@ ]*\bimport (\w+)$/) {
                    let name = String(line.output.1)
                    if FileManager.default.fileExists(atPath: Self.folder(of: name).path) { rest.append(name) }
                }
            }
        }
        return modules.sorted()
    }

    static func folder(of module: String) -> URL {
        RepositoryFiles.root.appendingPathComponent("Sources/\(module)")
    }

    /// The Swift files of a module; those of all modules if the name is empty.
    static func files(of module: String) -> [URL] {
        RepositoryFiles.below("Sources/\(module)")
    }
}
