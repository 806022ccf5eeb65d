import Core

/// Groups the numbers of a nutrition table into columns.
struct ColumnBuilder {
    let page: PrintedPage

    /// Nutrients other than energy from which their columns are those of the table.
    private static let leastParts = 3

    /// Groups the values by their place and x into columns, from left to right.
    func columns(of values: [TableValue]) -> [TableColumn] {
        // A label without columns, with several nutrients in a row: each first value belongs to one basis.
        let byRow = Dictionary(grouping: values.filter { !$0.nutrient.isEnergy }) {
            "\($0.row) \($0.nutrient.rawValue)"
        }
        let most = byRow.values.map(\.count).max() ?? 1
        let isRunning = Dictionary(grouping: values.filter { !$0.nutrient.isEnergy && $0.place == 0 }, by: \.row).values
            .contains { $0.count > 1 }
        if most == 1 && !hasTwoColumns(values) || isRunning {
            var column = TableColumn(x: values.map(\.x).reduce(0, +) / Double(max(1, values.count)))
            for value in values where value.place == 0 && column.values[value.nutrient] == nil {
                column.values[value.nutrient] = value
            }
            if most == 1 || byRow.values.filter({ $0.count == 1 }).count * 2 > byRow.count { return [column] }
            var columns = [column]
            for place in 1..<most {
                var next = TableColumn(x: column.x + Double(place))
                for value in values where value.place == place && next.values[value.nutrient] == nil {
                    next.values[value.nutrient] = value
                }
                columns.append(next)
            }
            return columns
        }
        // "1318 kJ / 314 kcal" is wider than the other cells: it follows their columns.
        let parts = values.filter { !$0.nutrient.isEnergy }
        let placed = Set(parts.map(\.nutrient)).count >= Self.leastParts ? parts : values
        var centers: [(x: Double, count: Int)] = []
        for value in placed.sorted(by: { $0.x < $1.x }) {
            if let last = centers.last, value.x - last.x < 2.6 * page.height {
                centers[centers.count - 1] = (
                    (last.x * Double(last.count) + value.x) / Double(last.count + 1), last.count + 1
                )
            } else {
                centers.append((value.x, 1))
            }
        }
        var columns = centers.filter { $0.count >= 2 || centers.count <= 2 }.map { TableColumn(x: $0.x) }
        guard !columns.isEmpty else { return [] }
        let energies = Dictionary(grouping: values.filter(\.nutrient.isEnergy)) { "\($0.row) \($0.nutrient.rawValue)" }
        for value in values {
            var column = columns.indices.min { abs(columns[$0].x - value.x) < abs(columns[$1].x - value.x) }
            var isOrdered = false
            if value.nutrient.isEnergy, energies["\(value.row) \(value.nutrient.rawValue)"]?.count == columns.count {
                // One energy for each column: the order decides, whatever the positions.
                (column, isOrdered) = (value.place, true)
            }
            guard let nearest = column, columns.indices.contains(nearest),
                isOrdered || abs(columns[nearest].x - value.x) < 5 * page.height
            else { continue }
            if let known = columns[nearest].values[value.nutrient],
                known.figure.confidence >= value.figure.confidence || known.hasUnit && !value.hasUnit
            {
                continue
            }
            columns[nearest].values[value.nutrient] = value
        }
        return columns.filter { !$0.values.isEmpty }
    }

    private func hasTwoColumns(_ values: [TableValue]) -> Bool {
        let energy = Dictionary(grouping: values.filter(\.nutrient.isEnergy)) { "\($0.row) \($0.nutrient.rawValue)" }
        return energy.values.contains { $0.count > 1 }
    }
}
