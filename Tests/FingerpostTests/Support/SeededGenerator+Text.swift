import Fingerpost
import FingerpostFiles
import FingerpostShared

extension SeededGenerator {
    /// Random text of reserved characters, control characters and letters of several scripts.
    mutating func text(_ lengths: ClosedRange<Int>, avoiding unwanted: Set<String> = []) -> String {
        let alphabet: [Unicode.Scalar] =
            (1..<128).compactMap(Unicode.Scalar.init) + ["é", "ß", "日", "本", "🦉", "\u{301}", "\u{FFFD}", "\u{10FFFF}"]
        while true {
            let scalars = (0..<Int.random(in: lengths, using: &self)).map { _ in
                alphabet.randomElement(using: &self) ?? "x"
            }
            let text = String(String.UnicodeScalarView(scalars))
            if !unwanted.contains(text) { return text }
        }
    }
}
