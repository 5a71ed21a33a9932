import TestSupport

/// Runs every parser with random inputs. CONTRIBUTING.md says how to run more of them, and how to find the input that
/// ends the process.
@Suite(.inTurn) struct FuzzTests {
    static let variables = ProcessInfo.processInfo.environment
    /// The number of inputs for each parser.
    static let count = variables["FUZZ_INPUTS"].flatMap { Int($0) } ?? 25
    /// The number from which all inputs are derived.
    static let run = variables["FUZZ_RUN"].flatMap { UInt64($0) } ?? 1
    /// A folder that gets each input before it is tried.
    private static let folder = variables["FUZZ_FOLDER"].map { URL(fileURLWithPath: $0) }

    /// All parsers, or the one that the run is for.
    private static let targets = (FuzzTarget.files + FuzzTarget.requests + FuzzTarget.responses)
        .filter { [nil, $0.name].contains(variables["FUZZ_PARSER"]) }

    @Test(arguments: targets) func `No input does what it must not`(target: FuzzTarget) throws {
        var rejected = 0
        var slowest = (time: Duration.zero, number: 0)
        for number in 0..<Self.count {
            var input = FuzzInput(target, run: Self.run, number: number)
            let data = number < target.seeds.count ? target.seeds[number] : input.next()
            try Self.folder.map { try data.write(to: $0.appendingPathComponent(target.name)) }
            let start = ContinuousClock.now
            do { try target.run(data) } catch let finding as FuzzFinding {
                Issue.record("\(target.name), input \(number) of run \(Self.run): \(finding)\n\(Self.shown(data))")
                return
            } catch {
                rejected += 1
            }
            let time = ContinuousClock.now - start
            if time > slowest.time { slowest = (time, number) }
        }
        #expect(rejected < Self.count, "every input is rejected")
        // In a long run, say what was done.
        if Self.variables["FUZZ_INPUTS"] != nil {
            print("\(target.name): \(Self.count) inputs, \(rejected) rejected, slowest \(slowest)")
        }
    }

    private static func shown(_ data: Data) -> String {
        "\(data.base64EncodedString())\n\(String(decoding: data, as: UTF8.self).debugDescription)"
    }
}
