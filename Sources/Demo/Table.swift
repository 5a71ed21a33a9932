/// Text in columns.
struct Table: CustomStringConvertible {
    /// Longer cells are cut.
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
    ///   - columns: a line of titles is shown when one of them has any.
    ///   - rows: as many cells in each as there are columns.
    init(_ columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map(Self.cell) }
    }

    /// Names in one column and their values in another; those that have no value are left out.
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
            // Nothing is aligned behind the last cell.
            case .left: line += column == cells.indices.last ? cell : cell + padding + "  "
            case .right: line += padding + cell + "  "
            }
        }
        return line
    }

    /// Servers send line breaks, and terminals obey control characters: a cell shows neither.
    private static func cell(_ text: String) -> String {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? " " : $0 }))
        return visible.count <= widestCell ? visible : visible.prefix(widestCell - 1) + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
