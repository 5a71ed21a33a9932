/// Formats rows of text as a table.
package enum TextTable {
    /// The lines of a table with aligned columns. Each line is indented by two spaces.
    package static func lines(_ rows: [[String]]) -> [String] {
        // Text from a file or a server must not add a line to the table.
        let rows = rows.map { $0.map(\.printable) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { index, cell in
                // The last cell in a row needs no padding.
                index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
            }
            let line = "  " + cells.joined(separator: "   ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
