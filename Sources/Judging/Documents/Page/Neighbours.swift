import Core

/// Finds the neighbours of each text above, below and beside it, and assigns the prices of a row to its text.
struct Neighbours {
    private(set) var texts: [PageLayout.Text]
    private(set) var prices: [PageLayout.LonePrice]
    private let slope: PageSlope
    /// The places of `texts`. Every text is compared with every other one.
    private let places: [SegmentPlace]
    /// The nearest texts of a lone price, by its index.
    private var around: [Sides] = []

    private struct Sides {
        var up, down, left, right: Int?
    }

    init(_ segments: [TextSegment], _ slope: PageSlope) {
        let isText = { (segment: TextSegment) in
            !segment.isPriceAlone && segment.text.contains(where: Letters.isWordPart)
        }
        texts = segments.filter(isText).sorted { ($0.middle, $0.left) < ($1.middle, $1.left) }
            .map { PageLayout.Text(segment: $0) }
        prices = segments.filter(\.isPriceAlone).sorted { $0.left < $1.left }
            .map { PageLayout.LonePrice(segment: $0) }
        self.slope = slope
        places = texts.map { SegmentPlace($0.segment) }
    }

    mutating func link() {
        for index in texts.indices {
            let sides = sides(of: places[index], but: index)
            texts[index].up = sides.up
            texts[index].down = sides.down
            texts[index].left = sides.left
            texts[index].right = sides.right
            texts[index].rowPrices = texts[index].segment.prices
        }
        around = prices.map { sides(of: SegmentPlace($0.segment), but: nil) }
        for index in texts.indices { if let up = texts[index].up { texts[up].below.append(index) } }
        assignLonePrices()
    }

    private func sides(of segment: SegmentPlace, but own: Int?) -> Sides {
        var sides = Sides()
        var (up, down, left, right) = (Double.infinity, Double.infinity, Double.infinity, Double.infinity)
        for (index, other) in places.enumerated() where index != own {
            let rise = slope.rise(from: segment.center, segment.middle, to: other.center, other.middle)
            let height = max(segment.height, other.height)
            if abs(rise) < 0.5 * height {
                if other.left > segment.center, other.right > segment.right {
                    let gap = other.left - segment.right
                    if gap < right { (right, sides.right) = (gap, index) }
                } else if other.right < segment.center, other.left < segment.left {
                    let gap = segment.left - other.right
                    if gap < left { (left, sides.left) = (gap, index) }
                }
                if abs(rise) < 0.3 * height { continue }
            }
            let shared = min(segment.right, other.right) - max(segment.left, other.left)
            guard shared > 0.15 * min(segment.width, other.width) || shared > 2 * height else { continue }
            let cost =
                abs(rise) + 0.15 * min(abs(segment.left - other.left), abs(segment.center - other.center))
            if rise > 0 {
                if cost < down { (down, sides.down) = (cost, index) }
            } else if cost < up {
                (up, sides.up) = (cost, index)
            }
        }
        return sides
    }

    /// Assigns each lone price to the text on its left in the row. Other lone prices go to the text after, below or
    /// above them, by the relation that fits most prices of the page.
    private mutating func assignLonePrices() {
        var loose: [Int] = []
        for index in prices.indices {
            let price = prices[index].segment
            if let host = around[index].left, !isInAnotherColumn(index, host) {
                prices[index].host = host
                texts[host].rowPrices += price.prices
            } else {
                prices[index].isLoose = true
                loose.append(index)
            }
        }
        let options = loose.map { nearby($0) }
        var served = [Int](repeating: 0, count: Way.allCases.count)
        for ways in options {
            for way in Way.allCases where ways.contains(where: { $0.way == way && texts[$0.text].rowPrices.isEmpty }) {
                served[way.rawValue] += 1
            }
        }
        for (index, ways) in zip(loose, options) {
            let sorted = ways.enumerated().sorted { one, other in
                let hasOne = !texts[one.element.text].rowPrices.isEmpty
                let hasOther = !texts[other.element.text].rowPrices.isEmpty
                if hasOne != hasOther { return !hasOne }
                let (a, b) = (served[one.element.way.rawValue], served[other.element.way.rawValue])
                return a != b ? a > b : one.offset < other.offset
            }.map(\.element.text)
            prices[index].near = sorted
            prices[index].host = sorted.first
            if let host = sorted.first { texts[host].nearPrices.append(index) }
        }
    }

    private enum Way: Int, CaseIterable { case front, below, above }

    private func nearby(_ index: Int) -> [(way: Way, text: Int)] {
        let price = prices[index].segment
        var ways: [(Way, Int)] = []
        if let right = around[index].right, texts[right].segment.left - price.right < 6 * price.height {
            ways.append((.front, right))
        }
        for (way, text) in [(Way.below, around[index].up), (.above, around[index].down)] {
            guard let text else { continue }
            let other = texts[text].segment
            if abs(slope.rise(other, price)) < 6 * max(price.height, other.height) { ways.append((way, text)) }
        }
        return ways
    }

    /// True if the price is far right of its row's text and in a column with texts directly above it.
    private func isInAnotherColumn(_ index: Int, _ host: Int) -> Bool {
        let price = prices[index].segment
        guard price.left - texts[host].segment.right > 25 * price.height, let up = around[index].up else {
            return false
        }
        let above = texts[up].segment
        return above.left > texts[host].segment.right && abs(slope.rise(above, price)) < 2.5 * price.height
    }
}
