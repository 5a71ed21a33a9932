import TestSupport

@testable import FingerpostTooling

/// A small build for one test: the files of bundles and executables.
struct BuiltFixture {
    let folder: TemporaryFolder
    var options = VerifyOptions()
    /// The variables of the process that verifies.
    var variables: [String: String] = [:]

    /// - Parameter files: contents by path. An Info.plist that contains only the XML of keys is completed to a property
    ///   list.
    init(_ files: [String: String]) throws {
        folder = try TemporaryFolder()
        for (path, text) in files {
            let isPart = path.hasSuffix(".plist") && text.hasPrefix("<key>")
            try folder.write(Data((isPart ? EnvironmentFixture.propertyList(text) : text).utf8), to: path)
        }
        for path in files.keys where files[path]?.hasPrefix(Self.program) == true {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder[path].path)
        }
    }

    /// The report on a path of the fixture.
    func report(_ path: String = "Acme.app") throws -> VerifyReport {
        var options = options
        options.source = options.source.map { folder[$0].path }
        return try VerifyReport(folder[path].path, options, variables: variables)
    }

    /// The lines of the report that are problems.
    func problems(_ path: String = "Acme.app") throws -> [String] {
        try text(path).filter { $0.contains(": error: ") || $0.contains(": warning: ") }
    }

    /// The lines of the report, with paths relative to the fixture.
    func text(_ path: String = "Acme.app") throws -> [String] {
        folder.relative(try report(path).text).components(separatedBy: "\n")
    }

    // MARK: Contents

    /// The first bytes of a program for Linux.
    static let program = "\u{7F}ELF a program"

    /// The Info.plist of an app or an extension.
    static func info(_ name: String, _ environment: String? = "Production", _ more: String = "") -> String {
        "<key>CFBundleName</key><string>\(name)</string><key>CFBundleExecutable</key><string>\(name)</string>"
            + (environment.map { "<key>APIEnvironment</key><string>\($0)</string>" } ?? "") + more
    }

    static let production = """
        { "description": "Production",
          "baseURL": "https://api.acme.app" }
        """
    static let staging = """
        { "description": "Staging",
          "baseURL": "https://staging.acme.app" }
        """

    /// A good app for iOS.
    ///
    /// - Parameter changes: contents by path inside the app; nil removes a file.
    static func app(_ changes: [String: String?] = [:], in app: String = "Acme.app") -> [String: String] {
        var files: [String: String?] = [
            "Info.plist": info("Acme"), "Acme": program, "Environments/Production-Env.json": production,
            "Environments/Staging-Env.json": staging,
        ]
        files.merge(changes) { $1 }
        return Dictionary(uniqueKeysWithValues: files.compactMap { path, text in text.map { ("\(app)/\(path)", $0) } })
    }
}
