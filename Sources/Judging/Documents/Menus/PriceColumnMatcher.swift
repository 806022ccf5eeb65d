import Core

/// Assigns the prices of a column to the lines beside it, in order. On a photo with perspective or a curled page, the rows
/// of a price column drift away from the rows of their names, and single rows show a wrong neighbour.
///
/// Of all assignments that keep the order, dynamic programming finds the one with the nearest rows.
struct PriceColumnMatcher {
    private let page: PageLayout
    private let roles: [MenuRole]
    private let dishOf: [Int?]

    /// Fewer prices are no column.
    private static let shortestColumn = 3
    /// Value of a match in text heights: a price leaves it unless a line is nearer than this.
    private static let nameValue = 2.2
    private static let lineValue = 1.2

    init(_ page: PageLayout, _ roles: [MenuRole], dishOf: [Int?]) {
        self.page = page
        self.roles = roles
        self.dishOf = dishOf
    }

    /// The text that each lone price belongs to by its row, or by its column where that gives more dishes a price.
    func hosts() -> [Int?] {
        var hosts = page.prices.map { $0.isLoose ? nil : $0.host }
        for column in columns() where column.count >= Self.shortestColumn {
            var changed = hosts
            // Where the rows of a column fit, only its other prices have drifted.
            let fitting = column.filter(isOfRow)
            let moved = 2 * fitting.count > column.count ? column.filter { !fitting.contains($0) } : column
            let taken = Set(column.filter { !moved.contains($0) }.compactMap { hosts[$0].flatMap { dishOf[$0] } })
            let free = lines(beside: column).filter { dishOf[$0].map { !taken.contains($0) } ?? true }
            for (price, line) in matches(moved, free) { changed[price] = line }
            if priced(changed, column).isStrictSuperset(of: priced(hosts, column)) { hosts = changed }
        }
        return hosts
    }

    /// True if a line of a dish lies in the row of a price.
    private func isOfRow(_ price: Int) -> Bool {
        guard !page.prices[price].isLoose, let host = page.prices[price].host, dishOf[host] != nil else { return false }
        return page.isRow(host, price: price)
    }

    /// The dishes to which prices of a column belong.
    private func priced(_ hosts: [Int?], _ column: [Int]) -> Set<Int> {
        Set(column.compactMap { hosts[$0].flatMap { dishOf[$0] } })
    }

    /// Prices above each other, each column from top to bottom.
    private func columns() -> [[Int]] {
        var columns: [[Int]] = []
        let places = page.prices.map(\.segment)
        for price in places.indices.sorted(by: { places[$0].middle < places[$1].middle }) {
            let one = places[price]
            let found = columns.indices.filter { column in
                let last = places[columns[column][columns[column].count - 1]]
                let shared = min(one.right, last.right) - max(one.left, last.left)
                let rise = page.slope.rise(last, one)
                return shared > 0.5 * min(one.width, last.width) && rise > 0.5 * one.height && rise < 12 * one.height
            }
            let nearest = found.max { places[columns[$0].last ?? 0].middle < places[columns[$1].last ?? 0].middle }
            if let nearest { columns[nearest].append(price) } else { columns.append([price]) }
        }
        return columns
    }

    /// The lines of dishes in the text column on the left of a price column, from top to bottom.
    private func lines(beside column: [Int]) -> [Int] {
        let prices = column.map { page.prices[$0].segment }
        let hosts = Set(column.compactMap { page.prices[$0].host }).map { page.texts[$0].segment }
        guard let first = prices.first, let last = prices.last else { return [] }
        let left = prices.map(\.left).min() ?? 0
        return page.texts.indices.filter { index in
            let line = page.texts[index].segment
            guard dishOf[index] != nil, line.right < left + line.height, line.prices.isEmpty,
                page.slope.rise(first, line) > -3 * page.height, page.slope.rise(last, line) < 3 * page.height
            else { return false }
            return hosts.isEmpty
                || hosts.contains {
                    min($0.right, line.right) - max($0.left, line.left) > 0.3 * min($0.width, line.width)
                }
        }
    }

    /// Pairs of price and line with the highest total value; both keep their order.
    private func matches(_ prices: [Int], _ lines: [Int]) -> [(price: Int, line: Int)] {
        var best = [[Double]](repeating: [Double](repeating: 0, count: lines.count + 1), count: prices.count + 1)
        for price in prices.indices {
            for line in lines.indices {
                let value = value(prices[price], lines[line])
                best[price + 1][line + 1] = max(
                    best[price][line + 1], best[price + 1][line], value > 0 ? best[price][line] + value : 0)
            }
        }
        var pairs: [(Int, Int)] = []
        var (price, line) = (prices.count, lines.count)
        while price > 0, line > 0 {
            if best[price][line] == best[price - 1][line] {
                price -= 1
            } else if best[price][line] == best[price][line - 1] {
                line -= 1
            } else {
                (price, line) = (price - 1, line - 1)
                pairs.append((prices[price], lines[line]))
            }
        }
        return pairs
    }

    private func value(_ price: Int, _ line: Int) -> Double {
        let isName = [.dish, .variant].contains(roles[line])
        let far = abs(page.slope.rise(page.texts[line].segment, page.prices[price].segment)) / page.height
        return (isName ? Self.nameValue : Self.lineValue) - far
    }
}
