import Foundation

// Compares the library with hand-written code for the same work, in one run:
//
//     swift run -c release --package-path Benchmarks [--filter <part of a name>] [--check] [--profile <count>]
//
// A ratio is of the times on a clock; the ratio of the processor times of all threads is beside it. A target is for the
// former.
//
// Then compares the memory that 10,000 calls at once, transfers of 1 GB and 100,000 events take: the median of ten
// processes each, and the worst. Measures work on n, 10 n and 100 n things, and prints the time of each of them. Last,
// measures `fingerpost-cli verify` on an app of 200 MB, and counts the instructions of a mocked call if valgrind is
// installed.
//
// With --check the exit code is 1 if a ratio is over its target, or if the time of one thing more than doubles. With
// --profile nothing is measured: Fingerpost's version runs the given number of times, for a profiler (`perf record`,
// `valgrind --tool=callgrind`).
var filter = ""
var checks = false
var profiled: Int?
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--check": checks = true
    case "--filter": filter = arguments.popFirst() ?? ""
    case "--profile": profiled = arguments.popFirst().flatMap { Int($0) } ?? 1_000
    case "--burst":
        try await Burst.runInThisProcess(CommandLine.arguments.last)
        exit(0)
    case "--transfer":
        try await Transfer.runInThisProcess(CommandLine.arguments.last)
        exit(0)
    case "--mocked-calls":
        try Instructions.runInThisProcess(CommandLine.arguments.last)
        exit(0)
    default:
        print("Usage: Benchmarks [--filter <part of a name>] [--check] [--profile <count>]")
        exit(2)
    }
}

/// Prints a row of a table, also into a pipe or a file, as soon as it is measured.
func printRow(_ cells: String..., note: String = "") {
    let widths = [22, 12, 12, 12, 12, 12, 6]
    let row = zip(cells, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
        return column == 0 ? cell.0 + padding : padding + cell.0
    }
    print(row.joined() + note)
    fflush(nil)
}

var isOver = false
printRow("work", "by hand ns", "ours ns", "ratio", "CPU ratio", "target", "")
let benchmarks = [
    Benchmark.getRequest(), .postRequest(), .manyParameters(), try .mockedCall(), try .scopedCall(),
    try .openedMocks(), try .loopbackGET(), try .loopbackGETs(), try .loopbackGETsWithoutLimit(),
    try .environmentLoad(),
]
for benchmark in benchmarks where filter.isEmpty || benchmark.name.contains(filter) {
    if let profiled {
        try benchmark.prepare()
        try await benchmark.ours(profiled)
        continue
    }
    var result = try await Measurement(benchmark)
    // Another process may slow down one of the two alone. Slower code is over its target each time.
    for _ in 1...2 where result.ratio > benchmark.target { result = try await Measurement(benchmark) }
    let fits = result.ratio <= benchmark.target
    isOver = isOver || !fits
    printRow(
        benchmark.name, String(format: "%.0f", result.byHand), String(format: "%.0f", result.ours),
        String(format: "%.2f", result.ratio), String(format: "%.2f", result.processorRatio),
        String(format: "%.2f", benchmark.target), fits ? "ok" : "over",
        note: benchmark.note.isEmpty ? "" : "  (\(benchmark.note))")
}

if profiled == nil {
    func printMemory(
        _ name: String, _ spreads: (bare: MeasuredProcess.Spread, ours: MeasuredProcess.Spread), target: Double
    ) {
        func megabytes(_ bytes: Int) -> String { String(format: "%.0f", Double(bytes) / 1e6) }
        let fits = Double(spreads.ours.median) <= target
        isOver = isOver || !fits
        let (bare, ours) = spreads
        printRow(
            name, "\(megabytes(bare.median)) (\(megabytes(bare.worst)))",
            "\(megabytes(ours.median)) (\(megabytes(ours.worst)))",
            String(format: "%.2f", Double(ours.median) / Double(bare.median)), "", megabytes(Int(target)),
            fits ? "ok" : "over")
    }

    print()
    printRow("memory: MB (worst)", "bare", "ours", "ratio", "", "target", "")
    for burst in Burst.all where filter.isEmpty || burst.name.contains(filter) {
        let spreads = try burst.measure()
        printMemory(burst.name, spreads, target: Double(spreads.bare.median) * burst.target)
    }
    for transfer in Transfer.all where filter.isEmpty || transfer.rawValue.contains(filter) {
        let spreads = try transfer.measure()
        printMemory(transfer.rawValue, spreads, target: Double(spreads.bare.median + transfer.margin))
    }

    print()
    printRow("growth: ns for one", "n", "of n", "of 10 n", "of 100 n", "", "")
    for growth in Growth.all where filter.isEmpty || growth.name.contains(filter) {
        let times = try await growth.times()
        let fits = growth.fits(times)
        isOver = isOver || !fits
        let cells = times.map { String(format: "%.0f", $0) }
        printRow(growth.name, "\(growth.count)", cells[0], cells[1], cells[2], "", fits ? "ok" : "over")
    }

    if filter.isEmpty || VerifiedBuild.name.contains(filter) {
        print()
        printRow("builds: seconds", "", "ours", "", "", "target", "")
        let seconds = try VerifiedBuild.measure()
        let fits = seconds <= VerifiedBuild.target
        isOver = isOver || !fits
        let target = String(format: "%.2f", VerifiedBuild.target)
        printRow(VerifiedBuild.name, "", String(format: "%.2f", seconds), "", "", target, fits ? "ok" : "over")
    }

    if filter.isEmpty || Instructions.name.contains(filter), let valgrind = Instructions.valgrind {
        print()
        printRow("instructions of one", "", "ours", "", "", "target", "")
        let count = try Instructions.measure(with: valgrind)
        let fits = count <= Instructions.target
        isOver = isOver || !fits
        printRow(Instructions.name, "", "\(count)", "", "", "\(Instructions.target)", fits ? "ok" : "over")
    }
}
exit(checks && isOver ? 1 : 0)
