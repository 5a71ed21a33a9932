import Foundation

/// The instructions of a mocked call, as callgrind of valgrind counts them. The count does not depend on the load of the
/// machine, but it changes by 2 % with the places of types in a program.
///
/// Each measurement runs in a new process: this program with the argument `--mocked-calls`.
enum Instructions {
    static let name = "mocked-call"
    /// The highest accepted count: the last one, and its spread.
    static let target = 112_000
    private static let count = 1_000

    /// The path of valgrind; nil if it is not installed.
    static let valgrind = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/valgrind" }.first(where: FileManager.default.isExecutableFile)

    /// The instructions of one call: the difference of two runs, which leaves out the start of the process.
    static func measure(with valgrind: String) throws -> Int {
        (try instructions(of: 2 * count, with: valgrind) - instructions(of: count, with: valgrind)) / count
    }

    private static func instructions(of count: Int, with valgrind: String) throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: valgrind)
        process.arguments = [
            "--tool=callgrind", "--callgrind-out-file=/dev/null", CommandLine.arguments[0], "--mocked-calls",
            "\(count)",
        ]
        let output = Pipe()
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // ==4711== Collected : 123456789
        guard process.terminationStatus == 0,
            let line = text.split(separator: "\n").first(where: { $0.contains("Collected :") }),
            let instructions = line.split(separator: " ").last.flatMap({ Int($0) })
        else {
            print(text)
            throw CocoaError(.fileReadCorruptFile)
        }
        return instructions
    }

    // MARK: In the new process

    /// Sends the calls. The main thread waits on a semaphore, because valgrind cannot run what Swift does there instead.
    static func runInThisProcess(_ argument: String?) throws {
        guard let count = argument.flatMap({ Int($0) }) else { throw CocoaError(.formatting) }
        let call = try Benchmark.mockedCall().ours
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await call(count) } catch {
                print(error)
                exit(1)
            }
            end.signal()
        }
        end.wait()
    }
}
