extension Duration {
    /// The duration for messages, in seconds with at most one decimal place: `0.8 s`.
    var text: String {
        let seconds = (self / .seconds(1) * 10).rounded() / 10
        return (Int(exactly: seconds).map(String.init) ?? "\(seconds)") + " s"
    }

    /// The duration for logs: in milliseconds if the duration is less than a second, as in `34 ms`, otherwise in
    /// seconds.
    var shortText: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        return milliseconds < 1000 ? "\(Int64(milliseconds)) ms" : text
    }

    /// The longest timeout and the longest wait, in seconds (more than thirty years). `Duration` traps on much larger
    /// values.
    static let maximumSeconds = 1_000_000_000

    /// This duration, limited to the range from minus the maximum timeout to the maximum timeout. Sums and products of
    /// unlimited durations could overflow, which crashes the process.
    @inline(never)
    var limited: Duration {
        let longest = Duration.seconds(Duration.maximumSeconds)
        return max(.zero - longest, min(self, longest))
    }

    /// - Throws: ``APIError`` for a timeout that is not positive.
    func checkTimeout(_ name: String = "timeout") throws(APIError) {
        if self > .zero { return }
        throw APIError(.invalidRoute, "the \(name) is \(self)", fix: "set it to more than zero seconds")
    }
}
