import Foundation

// Measures the library against the same work done by hand, in one run:
//
//     swift run -c release --package-path Benchmarks [--filter <part of a name>] [--check]
//
// With --check the exit code is 1 when a ratio is over its target.
var filter = ""
var checks = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--check": checks = true
    case "--filter": filter = arguments.popFirst() ?? ""
    default:
        print("usage: Benchmarks [--filter <part of a name>] [--check]")
        exit(2)
    }
}

func row(_ cells: String...) -> String {
    let widths = [17, 12, 12, 8, 8, 6]
    return zip(cells, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
        return column == 0 ? cell.0 + padding : padding + cell.0
    }.joined()
}

var isOver = false
print(row("work", "by hand ns", "ours ns", "ratio", "target", ""))
let benchmarks =
    [
        Benchmark.getRequest(), .postRequest(), try .mockedCall(), try .openedMocks(), try .loopbackGET(),
        try .environmentLoad(),
    ]
    + (try Benchmark.accessors())
for benchmark in benchmarks where filter.isEmpty || benchmark.name.contains(filter) {
    let result = try await Measurement(benchmark)
    let fits = result.ratio <= benchmark.target
    isOver = isOver || !fits
    print(
        row(
            benchmark.name, String(format: "%.0f", result.byHand), String(format: "%.0f", result.ours),
            String(format: "%.2f", result.ratio), String(format: "%.2f", benchmark.target), fits ? "ok" : "over"))
}
exit(checks && isOver ? 1 : 0)
