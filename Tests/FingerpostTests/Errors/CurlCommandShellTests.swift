import TestSupport

@testable import Fingerpost

#if os(Linux) || os(macOS)
    /// Hundreds of `curl` lines, run by real shells: no text leaves its word.
    @Suite(.inTurn) struct CurlCommandShellTests {
        /// Unicode joins each of these with a quote before or after it to one `Character`.
        private static let joiners = [
            "", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{3099}", "\u{903}", "\u{E33}",
            "\u{1F3FD}", "\u{E0101}", "\u{600}", "\u{110BD}", "\u{FEFF}",
        ]
        /// Commands behind a quote, which `Q` stands for. `M` is the file that they create.
        private static let commands = [
            "Q; touch M; Q", "Q && touch M && Q", "Q | touch M #Q", "Q\ntouch M\nQ", "Q$(touch M)Q", "Q`touch M`Q",
            "\\Q; touch M; \\Q", "QQ; touch M; QQ", "Q\"; touch M; \"Q",
        ]

        /// Puts a text into a request.
        private static let places: [@Sendable (String) -> Route] = [
            { .post("x").body(.text($0)) }, { .post("x").json(["note": $0]) },
            { .post("x").parameters(["note": $0]).encoding(.form) }, { .get("x/\($0)") }, { .get("x").query("q", $0) },
            // A header has no line breaks.
            { .get("x").header("X-Note", String(String.UnicodeScalarView($0.unicodeScalars.filter { $0 != "\n" }))) },
        ]

        /// A line, and the arguments that `curl` must receive.
        private struct Sample {
            let line: String
            let arguments: [String]

            init(_ route: Route) throws {
                let request = try route.urlRequest(relativeTo: URL(string: "https://api.example.com/v1"))
                line = CurlCommand(request, CallSecrets()).text
                var arguments: [String] = []
                if let method = request.httpMethod, method != "GET" { arguments += ["-X", method] }
                for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
                    arguments += ["-H", "\(name): \(value)"]
                }
                if let body = request.httpBody { arguments += ["--data-raw", String(decoding: body, as: UTF8.self)] }
                self.arguments = arguments + [request.url?.absoluteString ?? ""]
            }
        }

        private static func samples(_ mark: String) throws -> [Sample] {
            let texts = joiners.flatMap { joiner in
                ["'" + joiner, joiner + "'", joiner + "'" + joiner].flatMap { quote in
                    commands.map {
                        $0.replacingOccurrences(of: "Q", with: quote).replacingOccurrences(of: "M", with: mark)
                    }
                }
            }
            // Every fifth place of a text is enough: each place and each text is in some sample.
            let requests = texts.flatMap { text in places.map { ($0, text) } }
            return try stride(from: 0, to: requests.count, by: 5).map { try Sample(requests[$0].0(requests[$0].1)) }
        }

        @Test func `No text of a line runs a command`() throws {
            let folder = try TemporaryFolder()
            let samples = try Self.samples(folder["mark"].path)
            #expect(samples.count == 422)
            let script = "curl() { printf '%s\\0' $# \"$@\"; }\n" + samples.map(\.line).joined(separator: "\n")
            try folder.write(Data(script.utf8), to: "lines.sh")
            for shell in ["/bin/sh", "/bin/bash"] {
                let output = try Process.output(of: shell, folder["lines.sh"].path)
                #expect(!FileManager.default.fileExists(atPath: folder["mark"].path))
                var words = output.split(separator: 0, omittingEmptySubsequences: false)
                    .map { String(decoding: $0, as: UTF8.self) }[...]
                for sample in samples {
                    let count = words.popFirst().flatMap { Int($0) } ?? 0
                    let received = words.prefix(count)
                    words = words.dropFirst(count)
                    // Two texts can be equal and still have other bytes.
                    let isSame = received.elementsEqual(sample.arguments) { $0.utf8.elementsEqual($1.utf8) }
                    try #require(isSame, "\(shell) passes \(received) for \(sample.line)")
                }
                #expect(Array(words) == [""])
            }
        }

        @Test func `A header with control characters is sent as it is`() throws {
            for value in ["\u{1B}[201~; touch x", "a'\u{202A}\\b\u{15}7", "\u{7F}ä", "tab\there\u{85}\u{2028}'"] {
                let sample = try Sample(.get("x").header("X-Note", value))
                let script = "curl() { printf '%s\\0' \"$@\"; }\n\(sample.line)"
                let output = try Process.output(of: "/bin/bash", "-c", script)
                let words = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
                #expect(words.elementsEqual(sample.arguments) { $0.utf8.elementsEqual($1.utf8) }, "\(words)")
            }
        }

        /// A terminal may act on a control character of a line that is pasted into it.
        @Test func `A line contains no control characters`() throws {
            let base = URL(string: "https://api.example.com")
            for text in [
                "\u{1B}[201~; touch x", "a\u{15}b", "\u{7F}", "\u{3}", "\u{9B}31m", "\u{85}", "\u{202E}abc", "\u{2028}",
                "\u{2066}",
            ] {
                let line = try Route.post("x").body(.text(text)).header("X-Note", text).curl(relativeTo: base)
                let control = line.unicodeScalars.filter {
                    $0.value < 0x20 || $0.value == 0x7F || $0.value > 0x7F && text.unicodeScalars.contains($0)
                }
                #expect(control.isEmpty && line.contains("--data-binary @body"), "\(line)")
            }
            let lines = try Route.post("x").body(.text("a\tb\r\nc\n")).curl(relativeTo: base)
            #expect(lines.contains("--data-raw 'a\tb\r\nc\n'"))
        }
    }
#endif
