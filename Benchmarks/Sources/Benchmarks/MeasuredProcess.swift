import Foundation

/// A process of its own that measures its memory: this program with other arguments. The peak memory of a process never
/// falls, so each measurement needs a new one.
enum MeasuredProcess {
    /// How many processes measure the same.
    static let count = 10

    /// The middle and the highest of what several processes measured.
    struct Spread {
        let median, worst: Int

        init(_ measure: () throws -> Int) rethrows {
            let values = try (0..<count).map { _ in try measure() }.sorted()
            (median, worst) = (values[values.count / 2], values[values.count - 1])
        }
    }

    /// What the process prints.
    static func output<Value: Decodable>(of arguments: String...) throws -> Value {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Value.self, from: text)
    }

    static func print(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(value))
    }

    /// The peak resident memory of this process, in bytes.
    static func peakMemory() throws -> Int {
        #if canImport(Darwin)
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            // On Linux, `getrusage` includes the memory of the process that started this one.
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return kilobytes * 1024
        #endif
    }
}
