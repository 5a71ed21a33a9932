import Foundation

/// Writes warnings to standard error, for code that cannot throw an error.
package enum StandardError {
    /// Writes a line that starts with `Fingerpost: `. On Apple platforms, the method also writes the text to the
    /// system's log, which can be read on a device. The text must not contain secrets.
    package static func warn(_ text: String) {
        write("Fingerpost: \(text)")
        #if canImport(os)
            SystemLog.write(text, category: "warnings", isError: true)
        #endif
    }

    /// Writes one or several lines. Control characters other than line breaks are escaped. If standard error is closed,
    /// or if it is a pipe that nobody reads, the line is lost and the program continues.
    static func write(_ line: String) { write(line.printableLines, to: STDERR_FILENO) }

    /// The longest wait for a full pipe, in milliseconds.
    private static let patience: Int32 = 1_000

    static func write(_ line: String, to file: Int32) {
        var rest = Array((line + "\n").utf8)[...]
        withoutBrokenPipeSignal(to: file) {
            while !rest.isEmpty {
                // A write to a full pipe would block the caller until another process reads the pipe. A pipe that is
                // ready accepts `PIPE_BUF` bytes without blocking.
                var state = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                guard poll(&state, 1, patience) == 1, state.revents & Int16(POLLOUT) != 0 else { return }
                let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes {
                    Foundation.write(file, $0.baseAddress, $0.count)
                }
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }

    /// Runs the body without the signal `SIGPIPE`. The system sends this signal to a program that writes to a pipe
    /// without readers, and by default the signal ends the process.
    private static func withoutBrokenPipeSignal(to file: Int32, _ body: () -> Void) {
        #if canImport(Darwin)
            // Darwin sends the signal to the process, so any thread can receive it. The signal is therefore turned off
            // for the file, and stays off, because another thread may still be writing.
            _ = fcntl(file, F_SETNOSIGPIPE, 1)
            body()
        #else
            var (brokenPipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
            sigemptyset(&brokenPipe)
            sigaddset(&brokenPipe, SIGPIPE)
            sigpending(&pending)
            let wasPending = sigismember(&pending, SIGPIPE) == 1
            pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
            body()
            // Remove the signal that the body caused, if any. Otherwise, the signal would arrive when signals are
            // unblocked.
            sigpending(&pending)
            if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
                var signal: Int32 = 0
                sigwait(&brokenPipe, &signal)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        #endif
    }
}

#if canImport(os)
    import os
#endif

/// Writes texts to the system's log on Apple platforms, where they can be read on a device.
package enum SystemLog {
    /// The largest size of a message in bytes. The system cuts messages of about 1 KB.
    static let maximumSize = 900

    /// The messages for a text: one for each line, and several for a line that is too long. No character is split: a
    /// character that is longer than the limit becomes a message of its own.
    static func messages(of text: String) -> [Substring] {
        text.words(between: "\n").flatMap { line in
            var (pieces, start, size): ([Substring], String.Index, Int) = ([], line.startIndex, 0)
            for index in line.indices {
                let width = line[index].utf8.count
                if size > 0, size + width > maximumSize {
                    pieces.append(line[start..<index])
                    (start, size) = (index, 0)
                }
                size += width
            }
            return pieces + [line[start...]]
        }
    }

    /// Writes a text without secrets to the system's log, or to standard error on platforms without such a log.
    ///
    /// - Parameter isError: false for a text of the level `default`, because the system keeps lower levels in memory
    ///   only.
    package static func write(_ text: String, category: String, isError: Bool) {
        #if canImport(os)
            let log = Logger(subsystem: "Fingerpost", category: category)
            for message in messages(of: text) {
                log.log(level: isError ? .error : .default, "\(String(message), privacy: .public)")
            }
        #else
            StandardError.write(text)
        #endif
    }
}
