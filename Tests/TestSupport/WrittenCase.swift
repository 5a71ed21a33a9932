/// A case of a table that is written as text, so that its files look like files.
///
/// Empty lines separate the cases. The first line of a case is its name. Then come files and variables, each
/// as `NAME = TEXT`, and the lines that are expected. `↵` stands for a line break; a line that begins with it continues
/// the one before. A property list that begins with a key becomes a whole one.
package struct WrittenCase: CustomTestStringConvertible, Sendable {
    package let name: String
    /// The contents of files, by path.
    package private(set) var files: [String: String] = [:]
    package private(set) var variables: [String: String] = [:]
    package private(set) var expected: [String] = []

    package var testDescription: String { name }

    package static func table(_ text: String) -> [Self] { text.components(separatedBy: "\n\n").map(Self.init) }

    private init(_ text: String) {
        let lines = text.replacing("\n↵", with: "↵").components(separatedBy: "\n")
        name = lines[0]
        for line in lines.dropFirst() {
            let parts = "\(line) ".components(separatedBy: " = ")
            let text = String(parts.dropFirst().joined(separator: " = ").dropLast()).replacing("↵", with: "\n")
            if parts.count == 1 || parts[0].contains(where: { " :".contains($0) }) {
                expected.append(line.replacing("↵", with: "\n"))
            } else if parts[0].contains(".") {
                files[parts[0]] = text.hasPrefix("<key>") ? EnvironmentFixture.propertyList(text) : text
            } else {
                variables[parts[0]] = text
            }
        }
    }
}
