import FingerpostUITesting
import Foundation

/// The app, with its input and its output in place of a screen.
final class App {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ path: String, _ variables: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    func call(_ name: String) -> String {
        input.fileHandleForWriting.write(Data("\(name)\n".utf8))
        return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

let mocks = try MockControl()
let app = try App(CommandLine.arguments[1], mocks.variables)
var seen = [app.call("door")]
try mocks.use("door", "locked")
seen.append(app.call("door"))
try mocks.use("door", nil)
mocks.scenario = "offline"
seen.append(app.call("door"))
mocks.scenario = nil
seen.append(app.call("dor"))
app.end()
print("seen: \(seen.joined(separator: ", "))")
print("calls: \(try mocks.calls().map(\.line).joined(separator: ", "))")
do { try mocks.check() } catch {
    print("failed: \(error)")
    exit(1)
}
