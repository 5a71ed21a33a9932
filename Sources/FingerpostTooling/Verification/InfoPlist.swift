import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The values of an Info.plist that decide which environment a process selects, and which servers it may call.
struct InfoPlist {
    /// nil for a bundle or an executable without the file.
    let document: Document?

    /// The values of an executable outside a bundle, which has no such file.
    init() {
        document = nil
    }

    /// - Parameter file: nil for a bundle without the file.
    init(_ file: URL?, path: String) throws(FileProblem) {
        guard let file else {
            document = nil
            return
        }
        let opened = try RegularFile(file, path: path)
        guard opened.size <= Self.maximumSize else {
            throw FileProblem(path: path, message: "the file has \(opened.size) bytes, so it is not an Info.plist")
        }
        document = try BuildDesk.read(opened.contents(), path: path, .file)
    }

    /// The file of a bundle; nil if it has none.
    static func file(in bundle: URL) -> URL? {
        ["Contents/Info.plist", "Info.plist", "Resources/Info.plist"].map(bundle.appendingPathComponent)
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static let maximumSize = 5_000_000

    subscript(key: String) -> Node? { document?.root[key] }

    func text(_ key: String) -> String? { self[key]?.string }

    /// The variables that the system sets for a Mac app that is opened in Finder or the Dock.
    var variables: [String: String] {
        var variables: [String: String] = [:]
        for entry in self["LSEnvironment"]?.entries ?? [] { variables[entry.key] = entry.node.string }
        return variables
    }

    /// A problem with the value of a key.
    func problem(_ key: String, _ message: String, fix: String) -> FileProblem {
        document?.problem(at: self[key]?.offset, message, fix: fix) ?? FileProblem(message, fix: fix)
    }

    // MARK: App Transport Security

    /// True if App Transport Security lets the app call a host without encryption.
    func allowsInsecureCalls(to host: String) -> Bool {
        guard let settings = self["NSAppTransportSecurity"] else { return false }
        let host = host.lowercased()
        for entry in settings["NSExceptionDomains"]?.entries ?? [] {
            let domain = entry.key.lowercased()
            let isInside = entry.node["NSIncludesSubdomains"]?.isTrue == true && host.ends(with: "." + domain)
            guard host == domain || isInside else { continue }
            let keys = ["NSExceptionAllowsInsecureHTTPLoads", "NSTemporaryExceptionAllowsInsecureHTTPLoads"]
            return keys.contains { entry.node[$0]?.isTrue == true }
        }
        // The system ignores the key for all hosts if one of the narrower keys is there.
        let narrower = [
            "NSAllowsArbitraryLoadsForMedia", "NSAllowsArbitraryLoadsInWebContent", "NSAllowsLocalNetworking",
        ]
        if narrower.contains(where: { settings[$0] != nil }) {
            return settings["NSAllowsLocalNetworking"]?.isTrue == true
                && (!host.contains(".") || host.ends(with: ".local"))
        }
        return settings["NSAllowsArbitraryLoads"]?.isTrue == true
    }
}

extension Node {
    fileprivate var isTrue: Bool {
        if case .boolean(let flag) = value { flag } else { false }
    }
}
