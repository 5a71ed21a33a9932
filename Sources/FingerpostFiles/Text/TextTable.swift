/// Text in columns of equal width, each line indented by two spaces.
package enum TextTable {
    package static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { index, cell in
                // Nothing is aligned behind the last cell.
                index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
            }
            let line = "  " + cells.joined(separator: "   ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
