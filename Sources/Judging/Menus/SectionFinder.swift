import Layout
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

    /// The heading directly beside the dish on its left, as in "Monday: Soup", or the nearest heading above that overlaps
    /// the dish's row in x. Otherwise the last heading of the previous column,
    /// or the largest title of the page, or nil.
    func heading(of text: Int) -> Int? {
        let first = page.texts[text].segment
        if let left = page.texts[text].left, roles[left] == .section,
            first.left - page.texts[left].segment.right < Self.besideGap * first.height
        {
            return left
        }
        let above = headings.filter { heading in
            let other = page.texts[heading].segment
            return page.rise(heading, text) > 0 && min(rowEnds[text], other.right) > max(first.left, other.left)
        }
        if let nearest = above.min(by: { page.rise($0, text) < page.rise($1, text) }) { return nearest }
        let column = { (index: Int) in (self.page.texts[index].segment.center / (12 * self.page.height)).rounded(.down)
        }
        var before = headings.filter { page.texts[$0].segment.right < first.left }
        if before.isEmpty { before = headings.filter { page.rise($0, text) > 0 } }
        let last = before.max {
            (column($0), page.texts[$0].segment.middle) < (column($1), page.texts[$1].segment.middle)
        }
        return last ?? title(above: text)
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
