/// A test case from a table that is written as text, so that files in the table look like files.
///
/// Empty lines separate the cases. The first line of a case is its name. Then come files and variables, each as
/// `NAME = TEXT`, and the expected lines. Several names, separated by commas, have the same text, and `→ TARGET` makes
/// a link. `↵` stands for a line break; a line that begins with `↵` continues the line before. Text that begins with
/// `<key>` is completed to a property list.
package struct WrittenCase: CustomTestStringConvertible, Sendable {
    package let name: String
    /// The contents of files, by path.
    package private(set) var files: [String: String] = [:]
    /// The targets of links, by path.
    package private(set) var links: [String: String] = [:]
    package private(set) var variables: [String: String] = [:]
    package private(set) var expected: [String] = []

    package var testDescription: String { name }

    /// - Parameter files: files that each case has, unless it says otherwise.
    package static func table(_ text: String, beside files: [String: String] = [:]) -> [Self] {
        text.components(separatedBy: "\n\n").map { Self($0, files) }
    }

    private init(_ text: String, _ files: [String: String]) {
        self.files = files
        let lines = text.replacing("\n↵", with: "↵").components(separatedBy: "\n")
        name = lines[0]
        for line in lines.dropFirst() {
            let parts = "\(line) ".components(separatedBy: " = ")
            let names = parts[0].components(separatedBy: ", ")
            let text = String(parts.dropFirst().joined(separator: " = ").dropLast()).replacing("↵", with: "\n")
            if parts.count == 1 || names.contains(where: { $0.contains { " :".contains($0) } }) {
                expected.append(line.replacing("↵", with: "\n"))
                continue
            }
            for name in names {
                if text.hasPrefix("→ ") {
                    links[name] = String(text.dropFirst(2))
                } else if name.contains(".") {
                    self.files[name] = text.hasPrefix("<key>") ? EnvironmentFixture.propertyList(text) : text
                } else {
                    variables[name] = text
                }
            }
        }
    }
}
