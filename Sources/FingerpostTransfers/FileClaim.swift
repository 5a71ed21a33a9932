import FingerpostFiles
import FingerpostShared
import Foundation

/// The right to use a file, which one user has at a time. Unlike a lock, a claim is nothing that the system holds: iOS
/// ends an app that holds a lock while it is suspended.
///
/// A claim is a symbolic link beside the file whose text names the process. The system creates a link with its text in
/// one step, so no process sees half a claim. The claim of a process that has ended is stale, and after a day also that
/// of a process which may have ended. To replace one is a right that is claimed in the same way, so two processes never
/// replace the same one, or one that is no longer stale.
final class FileClaim: Sendable {
    private let path: String
    private let owner: String
    /// After this time in seconds, the claim of a process that may have ended is stale.
    private static let lifetime = 86_400

    /// Claims a file, which need not exist.
    ///
    /// - Throws: `POSIXError`, `EWOULDBLOCK` if the file is claimed by this process or another one that runs.
    convenience init(of file: URL) throws(POSIXError) {
        try self.init(of: file, as: .current)
    }

    /// - Parameter process: the owner of the claim.
    init(of file: URL, as process: ProcessIdentity) throws(POSIXError) {
        let (path, owner) = (file.path + ".claim", process.text)
        guard try Self.take(path, owner) else { throw POSIXError(.EWOULDBLOCK) }
        // Not before: an instance with all properties is deinitialized after an error too, and would end the claim of
        // another user in this process.
        (self.path, self.owner) = (path, owner)
    }

    deinit { if Self.text(path) == owner { unlink(path) } }

    /// - Returns: false if a process that runs has the claim.
    private static func take(_ path: String, _ owner: String) throws(POSIXError) -> Bool {
        while true {
            if symlink(owner, path) == 0 { return true }
            guard errno == EEXIST else { throw .last }
            // If it is gone, try again.
            guard let isStale = isStale(path) else { continue }
            guard isStale else { return false }
            let right = path + "~"
            guard try take(right, owner) else { return false }
            // Another process may have replaced the stale claim before this one had the right to.
            guard Self.isStale(path) == true else {
                unlink(right)
                continue
            }
            if rename(right, path) == 0 { return true }
            let error = POSIXError.last
            unlink(right)
            throw error
        }
    }

    /// True for the claim of a process that has ended; nil if there is no claim.
    private static func isStale(_ path: String) -> Bool? {
        guard let text = text(path) else { return nil }
        guard let process = ProcessIdentity(text) else { return true }
        if let isRunning = process.isRunning { return !isRunning }
        // It has just gone if it has no status. The clock may have been set back since it was made.
        let status = try? FileStatus(of: path, followsLinks: false)
        return status.map { abs(Int64(time(nil)) - $0.changed) > lifetime }
    }

    /// The text of a link; empty for anything else, and nil if there is nothing.
    private static func text(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &bytes, bytes.count)
        if count < 0 { return errno == ENOENT ? nil : "" }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Tells a process apart from every other one, also from an earlier one with the same number. Only a claim asks for it:
/// an app without one has no reason to identify the run of the system.
package struct ProcessIdentity: Equatable, Sendable {
    /// The run of the system, from its start to its end; empty if unknown.
    private let run: String
    private let number: pid_t
    /// When the process began, in a unit of the system; 0 if unknown.
    private let start: UInt64

    static var current: ProcessIdentity {
        ProcessIdentity(run: runOfSystem, number: getpid(), start: start(of: getpid()) ?? 0)
    }

    private init(run: String, number: pid_t, start: UInt64) {
        (self.run, self.number, self.start) = (run, number, start)
    }

    /// - Parameter text: what ``text`` returned; nil for anything else.
    init?(_ text: String) {
        let parts = text.parts(between: ".")
        guard parts.count == 3, let number = pid_t(digits: parts[1]), number > 0, let start = UInt64(digits: parts[2])
        else { return nil }
        self.init(run: String(parts[0]), number: number, start: start)
    }

    var text: String { "\(run).\(number).\(start)" }

    /// False if the process has surely ended; nil if there is one with its number, and the system does not tell whether
    /// it is another one: the sandbox of iOS hides when other processes began, and may hide the run.
    var isRunning: Bool? {
        let now = Self.runOfSystem
        if !run.isEmpty, !now.isEmpty, run != now { return false }
        // A sandbox forbids signals to other processes, but the system tells first that there is no such process.
        if kill(number, 0) != 0, errno == ESRCH { return false }
        guard let started = Self.start(of: number) else { return false }
        // The number may be that of a later process.
        return start == 0 || started == 0 ? nil : start == started
    }

    #if canImport(Darwin)
        /// The time when the system was started would change with the clock.
        private static var runOfSystem: String {
            var text = [CChar](repeating: 0, count: 64)
            var size = text.count
            guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return "" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        /// Nil for a process that has ended, until its parent asks how; 0 if unknown.
        private static func start(of number: pid_t) -> UInt64? {
            var (process, size) = (kinfo_proc(), MemoryLayout<kinfo_proc>.stride)
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, number]
            guard sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0, size > 0 else { return 0 }
            if Int32(process.kp_proc.p_stat) == SZOMB { return nil }
            let time = process.kp_proc.p_un.__p_starttime
            return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_usec)
        }
    #else
        private static var runOfSystem: String {
            // Without the file, the run is unknown.
            let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        }

        /// Nil for a process that has ended, until its parent asks how; 0 if unknown.
        private static func start(of number: pid_t) -> UInt64? {
            // Without the file, nothing is known. The name in parentheses may contain spaces.
            let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            let fields = text?.words(between: ")").last?.words(between: " ") ?? []
            guard fields.count > 19 else { return 0 }
            // The state is that of the first thread. Others may still be writing: their number follows.
            if fields[0] == "Z", fields[17] == "1" || fields[17] == "0" { return nil }
            return UInt64(digits: fields[19]) ?? 0
        }
    #endif
}
