extension Duration {
    /// The duration for messages, in seconds with at most one digit for tenths: `0.8 s`.
    var text: String {
        let seconds = (self / .seconds(1) * 10).rounded() / 10
        return (Int(exactly: seconds).map(String.init) ?? "\(seconds)") + " s"
    }

    /// The duration for logs: in milliseconds below one second, as in `34 ms`, and in seconds from there on.
    var shortText: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        return milliseconds < 1000 ? "\(Int(milliseconds)) ms" : text
    }
}
