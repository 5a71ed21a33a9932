import FingerpostFiles
import FingerpostMockFiles

/// The generated Swift file. This file contains constants for the mocks and accessors for the environments' keys, so
/// that the compiler reports misspelled names.
///
/// The file contains names and types but no values. An outdated file can therefore lack a key, but never contains an
/// old server address.
package struct GeneratedSwift: Sendable {
    private let imports: [String]
    private let parts: [SwiftText]
    /// The constants of scenarios.
    private let scenarios: SwiftText?
    /// The problems with keys and mocks for which no Swift code can be generated.
    let problems: [FileProblem]

    /// - Parameters:
    ///   - environments: the keys of the environments; nil if there is no environments folder.
    ///   - mocks: the mocks folder; nil if there is no mocks folder.
    init(environments: EnvironmentSchema?, mocks: MockIndex?) {
        let accessors = environments.map(EnvironmentAccessors.init)
        let access = environments?.access ?? .internal
        let names = mocks.map { MockConstants($0, access) }
        // If imports are internal by default, public code needs public imports of the modules whose types it uses.
        imports = (["Fingerpost"] + (accessors?.needsFoundation == true ? ["Foundation"] : [])).map {
            "\(access.modifier)import \($0)"
        }
        parts = [accessors?.text, names?.text].compactMap(\.self)
        scenarios = names?.scenarios
        problems = (accessors?.problems ?? []) + (names?.problems ?? [])
    }

    /// Returns the content of the file that the plugin writes. The file contains the path of the environments folder,
    /// in which debug builds look for secrets files. `fingerpost-cli generate` writes a file without this path, because
    /// that file is committed. The two files start with different texts, so that `fingerpost-cli check` can distinguish
    /// the files.
    ///
    /// - Parameters:
    ///   - source: the path of the environments folder. Nil if there is no environments folder.
    ///   - isLinked: true if the target certainly links the library. If false, the file's code is compiled only if the
    ///     compiler finds the library.
    ///   - linksMocks: whether the target links the module of scenarios. If nil, the file's code checks `canImport`.
    func pluginText(source: String?, isLinked: Bool, linksMocks: Bool?) -> String {
        var text = SwiftText()
        if let source {
            text.line("#if DEBUG")
            text.line("/// The folder of the environment files, where debug builds look for secrets files.")
            text.open("nonisolated final class _FingerpostSource: Fingerpost._SourceFolder")
            text.line("static var path: String { \(SwiftText.literal(source)) }")
            text.close()
            text.line("#endif")
        }
        let start = "// Made by FingerpostPlugin from Environments and Mocks."
        return content(startingWith: start, adding: source == nil ? [] : [text], isLinked: isLinked, linksMocks)
    }

    /// Returns the content of a generated file for targets that link the library.
    ///
    /// - Parameter start: the first comment, which names the program that generated the file.
    package func content(startingWith start: String) -> String {
        content(startingWith: start, adding: [], isLinked: true, nil)
    }

    private func content(
        startingWith start: String, adding additions: [SwiftText], isLinked: Bool, _ linksMocks: Bool?
    ) -> String {
        let head = [start + " Edit those files, not this one.", "// swift-format-ignore-file", ""]
        var code = imports + (parts + additions).flatMap { [""] + $0.lines }
        if let scenarios, linksMocks != false {
            let isAsked = linksMocks == nil
            code += (isAsked ? ["", "#if canImport(FingerpostMocks)"] : [""]) + scenarios.lines
            code += isAsked ? ["#endif"] : []
        }
        // In an Xcode project, `canImport` is also true if only another target links the library. The code would then
        // compile, but this target could not be linked. The code therefore uses `canImport` only if this target might
        // not link the library.
        let lines = head + (isLinked ? code : ["#if canImport(Fingerpost)"] + code + ["#endif"])
        return lines.joined(separator: "\n") + "\n"
    }
}
