import Core

/// Finds the heading of a dish.
struct SectionFinder {
    private let page: PageLayout
    private let roles: [MenuRole]
    private let headings: [Int]
    /// The right edge of each text's row, including its lone prices.
    private let rowEnds: [Double]
    /// Maximum gap between a heading and a dish on its right, in text heights.
    private static let besideGap = 2.0
    /// Maximum gap between a dish's row and a heading that starts on its right above it, in text heights.
    private static let middleGap = 5.0
    /// Maximum distance of two left edges of one column, in text heights.
    private static let edge = 0.5
    /// Maximum distance of a heading from the middle of the page, as a share of the page's width.
    private static let middleShare = 0.25

    init(_ page: PageLayout, _ roles: [MenuRole]) {
        self.page = page
        self.roles = roles
        headings = page.texts.indices.filter { roles[$0] == .section }
        var ends = page.texts.map(\.segment.right)
        for price in page.prices {
            if let host = price.host { ends[host] = max(ends[host], price.segment.right) }
        }
        rowEnds = ends
    }

    /// A heading, and how it was found.
    struct Heading {
        var index: Int
        /// True if the heading is directly above the dish's row or beside it; false for a heading of another column, which
        /// is a guess.
        var isOwn: Bool
    }

    /// The heading of a dish. The first of: a heading beside it on the left, as in "Monday: Soup"; the nearest above that
    /// overlaps its row in x; the nearest above that starts a little to its right, as one in the middle of two columns
    /// does; the last of the column before; one above in the middle of the page; the page's largest title; nil.
    func heading(of text: Int) -> Heading? {
        let first = page.texts[text].segment
        if let left = page.texts[text].left, roles[left] == .section,
            first.left - page.texts[left].segment.right < Self.besideGap * first.height
        {
            return Heading(index: left, isOwn: true)
        }
        let above = headings.filter { page.rise($0, text) > 0 }
        let own = nearest(above, to: text) { min(rowEnds[text], $0.right) > max(first.left, $0.left) }
        if let own { return Heading(index: own, isOwn: true) }
        let gap = Self.middleGap * first.height
        let other =
            nearest(above.filter { !startsColumn($0) }, to: text) {
                $0.left > first.left && $0.left - rowEnds[text] < gap
            }
            ?? last(of: headings.filter { page.texts[$0].segment.right < first.left })
            ?? last(of: above.filter { isInMiddle(page.texts[$0].segment) }) ?? title(above: text)
        return other.map { Heading(index: $0, isOwn: false) }
    }

    private func nearest(_ above: [Int], to text: Int, where isNear: (TextSegment) -> Bool) -> Int? {
        above.filter { isNear(page.texts[$0].segment) }.min { page.rise($0, text) < page.rise($1, text) }
    }

    /// True for a heading with the left edge of the texts below it, which heads a column of its own.
    private func startsColumn(_ heading: Int) -> Bool {
        let edge = page.texts[heading].segment.left
        return page.texts[heading].below.contains {
            abs(page.texts[$0].segment.left - edge) < Self.edge * page.texts[$0].segment.height
        }
    }

    /// The lowest heading of the rightmost column.
    private func last(of headings: [Int]) -> Int? {
        let column = { (index: Int) in (page.texts[index].segment.center / (12 * page.height)).rounded(.down) }
        return headings.max {
            (column($0), page.texts[$0].segment.middle) < (column($1), page.texts[$1].segment.middle)
        }
    }

    private func isInMiddle(_ heading: TextSegment) -> Bool {
        abs(heading.center - (page.left + page.right) / 2) < Self.middleShare * (page.right - page.left)
    }

    private func title(above text: Int) -> Int? {
        page.texts.indices.filter { index in
            let segment = page.texts[index].segment
            return roles[index] == .other && page.rise(index, text) > 0 && segment.confidence > 0.6
                && segment.text.split(separator: " ").count < 6
        }.max { page.texts[$0].segment.height < page.texts[$1].segment.height }
    }

    /// The texts of a heading: those directly beside it and the lines above that it continues, such as "FRY" "UPS".
    func title(of heading: Int) -> [Int] {
        guard roles[heading] == .section else { return [heading] }
        var lines = [row(of: heading)]
        var at = heading
        while lines.count < 3, let up = page.texts[at].up, roles[up] == .section, isContinued(up, by: at) {
            lines.insert(row(of: up), at: 0)
            at = up
        }
        return lines.flatMap(\.self)
    }

    /// True for two lines of one heading: similar in height and close together.
    private func isContinued(_ one: Int, by other: Int) -> Bool {
        let (first, second) = (page.texts[one].segment, page.texts[other].segment)
        let ratio = first.height / second.height
        return ratio > 0.85 && ratio < 1.18 && page.rise(one, other) < 1.6 * max(first.height, second.height)
    }

    private func row(of heading: Int) -> [Int] {
        let segment = page.texts[heading].segment
        return headings.filter { other in
            let beside = page.texts[other].segment
            let gap = max(beside.left - segment.right, segment.left - beside.right)
            return abs(page.rise(heading, other)) < 0.4 * segment.height && gap < 2 * segment.height
        }.sorted { page.texts[$0].segment.left < page.texts[$1].segment.left }
    }
}
