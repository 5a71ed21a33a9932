/// The resident memory of this process, on systems with /proc.
package enum ResidentMemory {
    /// In bytes; nil if it is unknown.
    package static var bytes: Int? { bytes(of: "VmRSS:") }

    /// The maximum since the process started, in bytes; nil if it is unknown.
    private static var peak: Int? { bytes(of: "VmHWM:") }

    /// Expects that the process grows by less than a limit, in bytes. No other test may run in the process.
    package static func expectGrowth(below limit: Int, during work: () async throws -> Void) async rethrows {
        let before = peak
        try await work()
        guard let before, let peak else { return }
        #expect(peak - before < limit, "it grew by \((peak - before) >> 20) MB")
    }

    private static func bytes(of name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kilobytes * 1024
    }
}
