/// Text in aligned columns.
struct Table: CustomStringConvertible {
    /// The maximum width of a cell in characters; longer cells are truncated.
    static let widestCell = 56

    enum Alignment {
        case left
        case right
    }

    struct Column {
        let title: String
        let alignment: Alignment

        init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    let columns: [Column]
    let rows: [[String]]

    /// - Parameters:
    ///   - columns: the columns. A header line is printed unless all titles are empty.
    ///   - rows: the cells of each row, one cell for each column.
    init(_ columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map(Self.cell) }
    }

    /// Creates a table with names in one column and values in the other. Fields whose value is nil are left out.
    init(fields: KeyValuePairs<String, String?>) {
        self.init([Column(""), Column("")], rows: fields.compactMap { name, value in value.map { [name, $0] } })
    }

    var description: String {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
        var lines = rows
        if titles.contains(where: { !$0.isEmpty }) {
            lines.insert(contentsOf: [titles, widths.map { String(repeating: "-", count: $0) }], at: 0)
        }
        return lines.map { aligned($0, widths) }.joined(separator: "\n")
    }

    private func aligned(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[column] - cell.count)
            switch columns[column].alignment {
            // The last cell needs no trailing spaces.
            case .left: line += column == cells.indices.last ? cell : cell + padding + "  "
            case .right: line += padding + cell + "  "
            }
        }
        return line
    }

    /// Replaces control characters, including line breaks, because a server's text must not control the terminal.
    private static func cell(_ text: String) -> String {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
        return visible.count <= widestCell ? visible : visible.prefix(widestCell - 1) + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
