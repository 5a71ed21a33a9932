extension Duration {
    /// The duration for messages, in seconds with at most one digit for tenths: `0.8 s`.
    var text: String {
        let seconds = (self / .seconds(1) * 10).rounded() / 10
        return (Int(exactly: seconds).map(String.init) ?? "\(seconds)") + " s"
    }
}
