import Core
import Foundation

/// Decides the roles of a page's texts together: the roles that repeat themselves best.
///
/// A labelling is coded with tables that all items of the page share: how names, descriptions and headings are printed, what
/// follows what, and at which distance. The tables start from `PatternModel` and count the page's own texts, so a labelling
/// is cheap if a role always looks alike. The network's probabilities are one term. From several first labellings, one a
/// template of menus, labels and tables are found in turn: the best labels by dynamic programming over the tree of texts,
/// then their counts. The probabilities of the roles are the mean over the labellings found, the better the heavier.
struct PagePattern {
    private static let roleCount = ItemRole.allCases.count
    /// The row of `roles` for texts that follow none.
    private static let top = roleCount
    private static let rounds = 6
    /// Difference of two labellings' scores, in nats, at which one counts e times as much.
    private static let trust = 4.0
    /// The evidence is not independent: its logarithms are divided by this for probabilities.
    private static let heat = 2.0
    /// A labelling that counts less is left out.
    private static let leastWeight = 0.02
    /// Relation of each role (rows, the last for none) to the next one.
    private static let relations: [[Int]] = (ItemRole.allCases + [nil]).map { parent in
        ItemRole.allCases.map { ItemRelation(parent, $0).rawValue }
    }

    private let texts: PatternTexts
    /// Logarithms of the network's probabilities, row by row.
    private let evidence: [Double]
    private let probabilities: [[Double]]
    /// Roles from another source.
    private let fixed: [Int: ItemRole]
    /// The tables before a text of the page is counted.
    private let start: Tables
    private var featureCount: Int { PatternTexts.features.count }

    /// - Parameters:
    ///   - probabilities: the network's, in the order of `MenuRole`'s cases.
    ///   - fixed: roles that are certain.
    init(_ texts: PatternTexts, _ model: PatternModel, probabilities rows: [[Float]], fixed: [Int: MenuRole]) {
        self.texts = texts
        self.fixed = fixed.mapValues { ItemRole($0) }
        let file = model.file
        start = Tables(file, styles: texts.styleCount)
        probabilities = rows.map { row in
            let other = Self.roleCount - 1
            return row[..<other].map { Double($0) } + [Double(row[other...].reduce(0, +))]
        }
        // Few texts repeat little, so the network counts more.
        let weight = file.network * (1 + file.fewTexts / Double(max(1, rows.count)))
        evidence = probabilities.flatMap { row in
            let raised = row.map { max(file.leastProbability, $0) }
            let total = raised.reduce(0, +)
            return raised.map { weight * log($0 / total) }
        }
    }

    /// The probability of each role for each text, in the order of `ItemRole`'s cases.
    func roles() -> [[Double]] {
        guard texts.count > 0 else { return [] }
        var found: [[Int]] = []
        var met: Set<[Int]> = []
        search: for first in firstLabellings() {
            var labels = first
            for _ in 0..<Self.rounds {
                // From here on another search went the same way.
                guard met.insert(labels).inserted else { continue search }
                let next = best(tables(labels))
                if next == labels { break }
                labels = next
            }
            if !found.contains(labels) { found.append(labels) }
        }
        let scores = found.map(score)
        let best = scores.max() ?? 0
        let weights = scores.map { exp(($0 - best) / Self.trust) }.map { $0 > Self.leastWeight ? $0 : 0 }
        let total = weights.reduce(0, +)
        var mean = [[Double]](repeating: [Double](repeating: 0, count: Self.roleCount), count: texts.count)
        for (labels, weight) in zip(found, weights) where weight > 0 {
            for (index, row) in posterior(tables(labels)).enumerated() {
                for role in row.indices { mean[index][role] += weight / total * row[role] }
            }
        }
        return mean
    }

    // MARK: First labellings

    private func firstLabellings() -> [[Int]] {
        let rest = likeliest([.continuation, .description, .heading, .other])
        let name = ItemRole.name.rawValue
        let named = { (isName: (Int) -> Bool) in rest.enumerated().map { isName($0) ? name : $1 } }
        var found = [likeliest(ItemRole.allCases)]
        if texts.isPriced.count(where: { $0 }) >= 2 {
            found.append(named { texts.isPriced[$0] })
            // The price ends the description: names are the texts above.
            let below = texts.isPriced.indices.filter { index in
                texts.isPriced[index] && texts.parents[index].map { !texts.isPriced[$0] } ?? false
            }
            if below.count >= 2 {
                var labels = rest.enumerated().map { texts.isPriced[$0] ? ItemRole.description.rawValue : $1 }
                for index in below { if let parent = texts.parents[index] { labels[parent] = name } }
                found.append(labels)
            }
        }
        if texts.isNumbered.count(where: { $0 }) >= 3 { found.append(named { texts.isNumbered[$0] }) }
        found.append(likeliest([.name, .heading, .other]))
        for style in namedStyles() { found.append(named { texts.styles[$0] == style }) }
        return found
    }

    private func likeliest(_ roles: [ItemRole]) -> [Int] {
        probabilities.map { row in
            roles.map(\.rawValue).max { (row[$0], $1) < (row[$1], $0) } ?? ItemRole.other.rawValue
        }
    }

    /// The styles that are most likely those of the names.
    private func namedStyles() -> [Int] {
        var sizes = [Int](repeating: 0, count: texts.styleCount)
        var chances = [Double](repeating: 0, count: texts.styleCount)
        for (index, style) in texts.styles.enumerated() {
            sizes[style] += 1
            chances[style] += probabilities[index][ItemRole.name.rawValue] + 0.3
        }
        return sizes.indices.filter { sizes[$0] >= 3 }.sorted { (chances[$0], $0) > (chances[$1], $1) }.prefix(4).map(
            \.self)
    }

    // MARK: Decoding

    /// The best labels under the tables, from the leaves of the tree to its tops and back.
    private func best(_ tables: Tables) -> [Int] {
        var values = own(tables)
        let width = Self.roleCount
        var choices = [Int](repeating: 0, count: values.count)
        for index in texts.order.reversed() {
            let parent = texts.parents[index]
            for row in parent == nil ? Self.top...Self.top : 0...(Self.top - 1) {
                var (choice, most) = (0, -Double.infinity)
                for role in 0..<width {
                    let value = values[index * width + role] + tables.step(row, role, gap: texts.gaps[index])
                    if value > most { (choice, most) = (role, value) }
                }
                choices[index * width + (parent == nil ? 0 : row)] = choice
                if let parent { values[parent * width + row] += most }
            }
        }
        var labels = [Int](repeating: 0, count: texts.count)
        for index in texts.order {
            labels[index] = choices[index * width + (texts.parents[index].map { labels[$0] } ?? 0)]
        }
        return labels
    }

    /// The probabilities of the roles under the tables, by sums over the tree.
    private func posterior(_ tables: Tables) -> [[Double]] {
        let width = Self.roleCount
        var values = own(tables).map { $0 / Self.heat }
        var chances = [[[Double]]](repeating: [], count: texts.count)
        for index in texts.order.reversed() {
            let parent = texts.parents[index]
            for row in parent == nil ? Self.top...Self.top : 0...(Self.top - 1) {
                let sums = (0..<width).map {
                    values[index * width + $0] + tables.step(row, $0, gap: texts.gaps[index]) / Self.heat
                }
                let most = sums.max() ?? 0
                let raised = sums.map { exp($0 - most) }
                let total = raised.reduce(0, +)
                chances[index].append(raised.map { $0 / total })
                if let parent { values[parent * width + row] += most + log(total) }
            }
        }
        var result = [[Double]](repeating: [], count: texts.count)
        for index in texts.order {
            guard let parent = texts.parents[index] else {
                result[index] = chances[index][0]
                continue
            }
            result[index] = (0..<width).map { role in
                (0..<width).reduce(0) { $0 + result[parent][$1] * chances[index][$1][role] }
            }
        }
        return result
    }

    /// What each text says of its own role, row by row.
    private func own(_ tables: Tables) -> [Double] {
        var values = evidence
        for index in texts.values.indices {
            let row = index * Self.roleCount
            if let known = fixed[index] {
                for role in 0..<Self.roleCount { values[row + role] = known.rawValue == role ? 0 : -50 }
            } else {
                for (feature, value) in texts.values[index].enumerated() {
                    tables.addValues(feature, Int(value), to: &values, at: row)
                }
                tables.addValues(featureCount, texts.styles[index], to: &values, at: row)
            }
        }
        return values
    }

    /// The logarithm of what a labelling's pattern gives the page, with its tables integrated out: each text is coded with
    /// the counts of those before it.
    private func score(_ labels: [Int]) -> Double {
        var counts = start
        var sum = 0.0
        for index in labels.indices {
            sum += evidence[index * Self.roleCount + labels[index]]
            visit(index, labels) { sum += counts.code($0, $1, $2) }
        }
        return sum
    }

    private func tables(_ labels: [Int]) -> Tables {
        var counts = start
        for index in labels.indices { visit(index, labels) { counts.add($0, $1, $2) } }
        return counts.logarithms()
    }

    /// Calls `body` with table, row and value for each cell that a text counts in.
    private func visit(_ index: Int, _ labels: [Int], _ body: (Int, Int, Int) -> Void) {
        let role = labels[index]
        for (feature, value) in texts.values[index].enumerated() { body(feature, role, Int(value)) }
        body(featureCount, role, texts.styles[index])
        let parent = texts.parents[index].map { labels[$0] } ?? Self.top
        body(featureCount + 1, Self.relations[parent][role], texts.gaps[index])
        body(featureCount + 2, parent, role)
    }

    // MARK: Tables

    /// Tables of counts: one for each feature, by role and value; then styles by role, gaps by relation, and roles by the
    /// parent's role.
    private struct Tables {
        private struct Table {
            var start, firstRow, width: Int
            var weight: Double
        }
        private var tables: [Table] = []
        private var cells: [Double] = []
        private var totals: [Double] = []

        init(_ model: PatternModel.File, styles: Int) {
            let even = Array(repeating: 1 / Double(max(1, styles)), count: max(1, styles))
            for feature in model.features { append(feature.shares, feature.strength, feature.weight) }
            let roleCount = PagePattern.roleCount
            append(
                Array(repeating: even, count: roleCount), model.styles * Double(max(1, styles)).squareRoot(),
                model.style)
            append(model.gaps.shares, model.gaps.strength, model.gaps.weight)
            append(model.roles.shares, model.roles.strength, model.roles.weight)
        }

        private mutating func append(_ shares: [[Double]], _ strength: Double, _ weight: Double) {
            tables.append(
                Table(start: cells.count, firstRow: totals.count, width: shares.first?.count ?? 0, weight: weight))
            for row in shares {
                cells += row.map { $0 * strength }
                totals.append(row.reduce(0, +) * strength)
            }
        }

        func value(_ table: Int, _ row: Int, _ value: Int) -> Double {
            cells[tables[table].start + row * tables[table].width + value]
        }

        /// What a role after the parent's role adds at a gap.
        func step(_ parent: Int, _ role: Int, gap: Int) -> Double {
            value(tables.count - 1, parent, role) + value(tables.count - 2, PagePattern.relations[parent][role], gap)
        }

        /// Adds what a value says of each role.
        func addValues(_ table: Int, _ value: Int, to values: inout [Double], at place: Int) {
            var cell = tables[table].start + value
            for role in 0..<PagePattern.roleCount {
                values[place + role] += cells[cell]
                cell += tables[table].width
            }
        }

        mutating func add(_ table: Int, _ row: Int, _ value: Int) {
            cells[tables[table].start + row * tables[table].width + value] += 1
            totals[tables[table].firstRow + row] += 1
        }

        /// The weighted logarithm of a value's share; then counts it.
        mutating func code(_ table: Int, _ row: Int, _ value: Int) -> Double {
            let share = self.value(table, row, value) / totals[tables[table].firstRow + row]
            add(table, row, value)
            return tables[table].weight * log(share)
        }

        /// The same tables with weighted logarithms of shares instead of counts.
        func logarithms() -> Tables {
            var result = self
            for (number, table) in tables.enumerated() {
                let end = number + 1 < tables.count ? tables[number + 1].firstRow : totals.count
                var place = table.start
                for row in table.firstRow..<end {
                    let total = log(totals[row])
                    for _ in 0..<table.width {
                        result.cells[place] = table.weight * (log(cells[place]) - total)
                        place += 1
                    }
                }
            }
            return result
        }
    }
}
