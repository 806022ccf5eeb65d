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
        if let column = single(byRow, values) { return [column] }
        // "1318 kJ / 314 kcal" is wider than the other cells: it follows their columns.
        let parts = values.filter { !$0.nutrient.isEnergy }
        let placed = Set(parts.map(\.nutrient)).count >= Self.leastParts ? parts : values
        var columns = centers(of: placed)
        guard !columns.isEmpty else { return [] }
        let rows = Dictionary(grouping: values) { "\($0.row) \($0.nutrient.rawValue)" }
        for row in rows.values.sorted(by: { ($0[0].row, $0[0].place) < ($1[0].row, $1[0].place) }) {
            for (value, column) in assigned(row.sorted { $0.x < $1.x }, to: columns) {
                if let known = columns[column].values[value.nutrient],
                    known.hasUnit == value.hasUnit
                        ? known.figure.confidence >= value.figure.confidence : known.hasUnit
                {
                    continue
                }
                columns[column].values[value.nutrient] = value
            }
        }
        return columns.filter { !$0.values.isEmpty }
    }

    /// Heights of the print between two columns.
    private static let columnGap = 2.6
    /// Heights of the print between a value and its column.
    private static let reach = 5.0

    /// A value this much nearer to its column than another of its row keeps it.
    private static let nearer = 0.4

    /// The centres of the columns, from left to right. Values that are next to each other in two rows or more make two
    /// columns, however near they are.
    private func centers(of values: [TableValue]) -> [TableColumn] {
        let groups = clusters(values.sorted { $0.x < $1.x }, gap: Self.columnGap * page.height).flatMap { group in
            let rows = Dictionary(grouping: group) { "\($0.row) \($0.nutrient.rawValue)" }.values.filter {
                $0.count > 1
            }
            guard rows.count > 1 else { return [group] }
            let gaps = rows.flatMap { row in
                zip(row.sorted { $0.x < $1.x }, row.sorted { $0.x < $1.x }.dropFirst()).map { $1.x - $0.x }
            }
            return clusters(group, gap: 0.7 * (gaps.min() ?? 0))
        }
        return groups.filter { $0.count >= 2 || groups.count <= 2 }.map { group in
            TableColumn(x: group.map(\.x).reduce(0, +) / Double(group.count))
        }
    }

    /// Groups of values whose distance to the mean of the group before them is below the gap.
    private func clusters(_ values: [TableValue], gap: Double) -> [[TableValue]] {
        var groups: [[TableValue]] = []
        for value in values {
            if let last = groups.last, value.x - last.map(\.x).reduce(0, +) / Double(last.count) < gap {
                groups[groups.count - 1].append(value)
            } else {
                groups.append([value])
            }
        }
        return groups
    }

    /// The column of each value of a row: two values never share one, so that none of them replaces another.
    private func assigned(_ row: [TableValue], to columns: [TableColumn]) -> [(TableValue, Int)] {
        // One energy for each column: the order decides, whatever the positions.
        if let first = row.first, first.nutrient.isEnergy, row.count == columns.count {
            return row.enumerated().map { ($1, $0) }
        }
        let near = row.compactMap { value -> (value: TableValue, column: Int, distance: Double)? in
            guard let column = columns.indices.min(by: { abs(columns[$0].x - value.x) < abs(columns[$1].x - value.x) })
            else { return nil }
            let distance = abs(columns[column].x - value.x)
            return distance < Self.reach * page.height ? (value, column, distance) : nil
        }
        return Dictionary(grouping: near, by: \.column).values.compactMap { group in
            let sorted = group.sorted { $0.distance < $1.distance }
            guard sorted.count == 1 || sorted[0].distance < Self.nearer * sorted[1].distance else { return nil }
            return (sorted[0].value, sorted[0].column)
        }.sorted { $0.1 < $1.1 }
    }

    /// Rows of this share have one value each in a table of one column.
    private static let leastSingle = 0.75

    /// The only column, if nearly every row has one value and the energy fits them all: names of two scripts move the
    /// values of one column apart.
    private func single(_ rows: [String: [TableValue]], _ values: [TableValue]) -> TableColumn? {
        guard Double(rows.values.count { $0.count == 1 }) >= Self.leastSingle * Double(rows.count), rows.count >= 4
        else { return nil }
        var column = TableColumn(x: values.map(\.x).reduce(0, +) / Double(max(1, values.count)))
        for value in values where value.place == 0 {
            guard column.values[value.nutrient] == nil else { return nil }
            column.values[value.nutrient] = value
        }
        let checks = NutritionChecks(columns: [column], size: nil)
        return checks.macros(column) == true && checks.parts(column) != false ? column : nil
    }

    private func hasTwoColumns(_ values: [TableValue]) -> Bool {
        let energy = Dictionary(grouping: values.filter(\.nutrient.isEnergy)) { "\($0.row) \($0.nutrient.rawValue)" }
        return energy.values.contains { $0.count > 1 }
    }
}
