import Foundation

/// The resident memory of this process, on systems with /proc.
enum ResidentMemory {
    static let isKnown = bytes > 0

    /// In bytes; 0 if it is unknown.
    static var bytes: Int { bytes(of: "VmRSS:") }

    /// The maximum since the process started, in bytes; 0 if it is unknown.
    static var peak: Int { bytes(of: "VmHWM:") }

    private static func bytes(of name: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes * 1024
    }
}
