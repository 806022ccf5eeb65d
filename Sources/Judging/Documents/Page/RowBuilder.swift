/// Joins the segments of a page to rows, for documents whose meaning is in rows: receipts, tables, price tags.
struct RowBuilder {
    let slope: PageSlope
    let words: [PageWord]

    /// Maximum distance between the middles of two neighbours in a row, in heights of the smaller one.
    private static let drift = 0.55
    /// Maximum share of a segment that may lie over its neighbour.
    private static let overlap = 0.35
    /// Weight of the page's slope beside a segment's own, in heights of width.
    private static let prior = 4.0

    /// Ratio of width to height from which a segment is long.
    private static let longSegment = 3.0

    /// The segments of each row from left to right, the rows from top to bottom.
    ///
    /// - Parameter edge: the page's left edge; `middle` is the row's y there after the slope is removed, pixels.
    func rows(of segments: [TextSegment], from edge: Double) -> [(cells: [TextSegment], middle: Double)] {
        let usual = slope.isFitted ? nil : Self.usualSlope(of: words)
        var slopes = segments.map { segment in
            Self.slope(of: segment, usual ?? slope.at(segment.center, segment.middle), usesShortWords: usual != nil)
        }
        let places = segments.map(SegmentPlace.init)
        let rest = Self.remainingSlope(of: places, slopes)
        for index in slopes.indices { slopes[index] += rest }
        return Self.groups(of: places, slopes).map { group in
            let cells = group.map { segments[$0] }.sorted { $0.left < $1.left }
            let levels = group.map { segments[$0].middle - (segments[$0].center - edge) * slopes[$0] }
            return (cells, levels.reduce(0, +) / Double(max(1, levels.count)))
        }.sorted { ($0.middle, $0.cells.first?.left ?? 0) < ($1.middle, $1.cells.first?.left ?? 0) }
    }

    /// The slope of a segment: that of its words, and of the page as far as they are short. On a page of short words, such
    /// as a table of numbers, those of a long segment count too: they have the slope of their printed line.
    private static func slope(of segment: TextSegment, _ page: Double, usesShortWords: Bool) -> Double {
        let isLong = usesShortWords && segment.width > longSegment * segment.height
        let words = segment.words.filter { isLong || $0.width > 1.5 * $0.height }
        let width = words.reduce(0) { $0 + $1.width }
        let own = words.reduce(0) { $0 + $1.residualSlope * $1.width }
        let weight = prior * segment.height
        return (own + weight * page) / (width + weight)
    }

    /// The weighted median of the words' slopes, for pages with too few long words to fit one.
    private static func usualSlope(of words: [PageWord]) -> Double {
        let sorted = words.sorted { $0.residualSlope < $1.residualSlope }
        var half = sorted.reduce(0) { $0 + $1.width } / 2
        for word in sorted {
            half -= word.width
            if half <= 0 { return word.residualSlope }
        }
        return 0
    }

    /// Slopes that are tried beside that of the words, from the smallest on.
    private static let triedSlopes = (1...10).flatMap { [0.004 * Double($0), -0.004 * Double($0)] }
    /// Cells further apart than this, in heights, show the slope of a row better than their words do.
    private static let farCells = 3.0
    /// A slope has to bring this share more of the cells beside others than the slope of the words.
    private static let clearGain = 0.12
    private static let leastFarCells = 5

    /// The slope that brings most cells level with one far on their right. A name and its amount lie so far apart that a
    /// hundredth of slope, which short words do not show, decides between two rows.
    private static func remainingSlope(of places: [SegmentPlace], _ slopes: [Double]) -> Double {
        let cells = places.indices.compactMap { one -> [(run: Double, rise: Double)]? in
            let place = places[one]
            let beside = places.indices.compactMap { other -> (run: Double, rise: Double)? in
                let next = places[other]
                let height = min(place.height, next.height)
                guard next.left - place.right > farCells * height else { return nil }
                let run = next.center - place.center
                let rise = next.middle - place.middle - run * (slopes[one] + slopes[other]) / 2
                guard abs(rise) < 0.04 * run + drift * height else { return nil }
                return (run / height, rise / height)
            }
            return beside.isEmpty ? nil : beside
        }
        guard cells.count >= leastFarCells else { return 0 }
        func level(_ slope: Double) -> Double {
            cells.reduce(0) { sum, beside in
                let least = beside.reduce(drift) { min($0, abs($1.rise - slope * $1.run)) } / drift
                return sum + 1 - least * least
            }
        }
        let own = level(0)
        var best = (slope: 0.0, level: own + clearGain * Double(cells.count))
        for slope in triedSlopes {
            let found = level(slope)
            if found > best.level { best = (slope, found) }
        }
        return best.slope
    }

    /// Groups of segments in one row: each segment joins the nearest one to its right if that one has no nearer one.
    private static func groups(of places: [SegmentPlace], _ slopes: [Double]) -> [[Int]] {
        var rightOf = [Int?](repeating: nil, count: places.count)
        var leftOf = [(index: Int, cost: Double)?](repeating: nil, count: places.count)
        for one in places.indices {
            var best: (index: Int, cost: Double)?
            for other in places.indices where other != one {
                guard let cost = cost(places[one], slopes[one], places[other], slopes[other]) else { continue }
                if best.map({ cost < $0.cost }) ?? true { best = (other, cost) }
            }
            rightOf[one] = best?.index
            if let best, leftOf[best.index].map({ best.cost < $0.cost }) ?? true {
                leftOf[best.index] = (one, best.cost)
            }
        }
        var groups: [[Int]] = []
        var isTaken = [Bool](repeating: false, count: places.count)
        for start in places.indices.sorted(by: { places[$0].left < places[$1].left }) where !isTaken[start] {
            var group = [start]
            isTaken[start] = true
            while let last = group.last, let next = rightOf[last], leftOf[next]?.index == last, !isTaken[next] {
                group.append(next)
                isTaken[next] = true
            }
            groups.append(group)
        }
        return groups
    }

    /// The distance of two neighbours in a row, in heights; nil if `other` is not beside `one` on the right.
    private static func cost(
        _ one: SegmentPlace, _ slope: Double, _ other: SegmentPlace, _ otherSlope: Double
    ) -> Double? {
        guard other.center > one.center, one.right - other.left < overlap * min(one.width, other.width) else {
            return nil
        }
        let height = min(one.height, other.height)
        let reach = max(1, one.width + other.width)
        let mean = (slope * one.width + otherSlope * other.width) / reach
        let rise = abs(other.middle - one.middle - (other.center - one.center) * mean)
        guard rise < drift * height else { return nil }
        return max(0, other.left - one.right) / height + 4 * rise / height
    }
}
