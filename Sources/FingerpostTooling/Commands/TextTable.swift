import FingerpostFiles

/// Formats rows of text as a table.
enum TextTable {
    /// The maximum width of a column. A longer cell does not widen the column, because otherwise one long value would
    /// make all lines long.
    private static let widest = 200

    /// The width of a column.
    static func width(of cells: some Sequence<String>) -> Int {
        cells.reduce(0) { width, cell in
            let count = cell.count
            return count > widest ? width : max(width, count)
        }
    }

    /// Returns a cell that is padded with spaces to the width of its column.
    static func padded(_ cell: String, to width: Int) -> String {
        cell + String(repeating: " ", count: max(0, width - cell.count))
    }

    /// The lines of a table with aligned columns. Each line is indented by two spaces.
    fileprivate static func lines(_ rows: [[String]]) -> [String] {
        // Text from a file or a server must not add a line to the table.
        let rows = rows.map { $0.map(\.printable) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in width(of: rows.compactMap { $0.dropFirst(column).first }) }
        return rows.map { row in
            let cells = row.enumerated().map { index, cell in
                // The last cell in a row needs no padding.
                index == row.count - 1 ? cell : padded(cell, to: widths[index])
            }
            let line = "  " + cells.joined(separator: "   ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension [[String]] {
    /// The lines of a table with aligned columns.
    var tableLines: [String] { TextTable.lines(self) }
}
