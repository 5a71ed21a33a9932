import Fingerpost

/// Prints a line for each call when it has ended: `GET users/octocat 200 from the mock user`. An app would use
/// `CallLogger`, which also describes errors; the demo prints those itself.
struct CallLines: CallObserver {
    func finished(_ call: LoggedCall) {
        var line = call.line
        if case .mock? = call.source { line += " from the mock \(call.name)" }
        print(Style.dim(line))
    }
}
