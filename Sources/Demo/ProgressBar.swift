import Fingerpost
import Foundation

/// A line in a terminal that shows the progress of a download.
enum ProgressBar {
    private static let width = 30

    /// False if standard output is a file or a pipe, in which a bar would be many lines.
    static var isUseful: Bool { isatty(STDOUT_FILENO) == 1 }

    static func show(_ progress: TransferProgress) {
        // Back to the start of the line. The codes after the text clear the rest of the line.
        print("\r\(line(progress))\u{1B}[K", terminator: progress.isFinished ? "\n" : "")
        // Standard output is buffered up to the end of a line.
        fflush(nil)
    }

    private static func line(_ progress: TransferProgress) -> String {
        let speed = "\(kilobytes(Int64(progress.bytesPerSecond)))/s"
        // GitHub makes archives while it sends them, so their size is not known.
        guard let fraction = progress.fractionCompleted, let total = progress.totalBytes else {
            return "\(kilobytes(progress.completedBytes)), \(speed)"
        }
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        let seconds = progress.remaining.map { Int(($0 / .seconds(1)).rounded(.up)) } ?? 0
        let rest = seconds > 0 ? ", \(seconds) s left" : ""
        return "[\(bar)] \(Int(fraction * 100)) % of \(kilobytes(total)), \(speed)\(rest)"
    }

    private static func kilobytes(_ bytes: Int64) -> String {
        "\((Double(bytes) / 1000).formatted(.number.precision(.fractionLength(1)))) kB"
    }
}
