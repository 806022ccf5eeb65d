import Vocabulary

/// One printed row of a column: what stands side by side on one height.
struct Row: Sendable {
    /// From left to right.
    var cells: [TextLine]

    var text: String { cells.map(\.text).joined(separator: " ") }
    var box: Quad? { Quad(around: cells.map(\.box)) }
    /// Height of the largest print in the row.
    var height: Double { cells.map(\.box.height).max() ?? 0 }
    var words: [Word] {
        cells.flatMap { $0.words.isEmpty ? [Word(text: $0.text, confidence: $0.confidence, box: $0.box)] : $0.words }
    }
}

/// Puts lines into columns and rows: a name and its price become one row again, two columns of dishes stay apart.
struct LineLayout: Sendable {
    let isPriceOnly: @Sendable (String) -> Bool

    /// Rows in reading order, column after column.
    func rows(of lines: [TextLine]) -> [Row] {
        let cells = lines.flatMap(split).filter { !$0.text.isEmpty }
        return arrange(cells, depth: 0)
    }

    /// Cuts a line where the blank between two words is wider than two and a half lines are high.
    private func split(_ line: TextLine) -> [TextLine] {
        guard line.words.count > 1 else { return [line] }
        let height = line.words.map(\.box.height).sorted()[line.words.count / 2]
        var groups: [[Word]] = []
        for word in line.words {
            if let last = groups.last?.last, word.box.minX - last.box.maxX <= 2.5 * max(height, 1) {
                groups[groups.count - 1].append(word)
            } else {
                groups.append([word])
            }
        }
        guard groups.count > 1 else { return [line] }
        return groups.compactMap { words in
            guard let box = Quad(around: words.map(\.box)) else { return nil }
            return TextLine(
                text: words.map(\.text).joined(separator: " "),
                confidence: words.map(\.confidence).reduce(0, +) / Double(words.count), box: box, words: words)
        }
    }

    private func arrange(_ cells: [TextLine], depth: Int) -> [Row] {
        guard depth < 4, let cut = gutter(in: cells) else { return joined(cells) }
        // What crosses the gutter, a title, parts the page into bands.
        let crossing = cells.filter { $0.box.minX < cut && $0.box.maxX > cut }.sorted { $0.box.minY < $1.box.minY }
        var rows: [Row] = []
        var rest = cells.filter { !($0.box.minX < cut && $0.box.maxX > cut) }
        for line in crossing {
            let above = rest.filter { $0.box.center.y < line.box.center.y }
            rest.removeAll { $0.box.center.y < line.box.center.y }
            rows += sides(above, cut, depth) + [Row(cells: [line])]
        }
        return rows + sides(rest, cut, depth)
    }

    private func sides(_ cells: [TextLine], _ cut: Double, _ depth: Int) -> [Row] {
        arrange(cells.filter { $0.box.center.x < cut }, depth: depth + 1)
            + arrange(cells.filter { $0.box.center.x >= cut }, depth: depth + 1)
    }

    /// Where a clear gutter parts two columns of text: few lines cross it, both sides hold at least two lines of words, and
    /// what stands right of it starts with words, not with prices.
    private func gutter(in cells: [TextLine]) -> Double? {
        guard cells.count >= 4 else { return nil }
        let heights = cells.map(\.box.height).sorted()
        let height = heights[heights.count / 2]
        let edges = cells.map(\.box.maxX).sorted()
        var best: (cut: Double, width: Double)?
        for edge in edges {
            guard let next = cells.map(\.box.minX).filter({ $0 > edge }).min(), next - edge >= 1.2 * height else {
                continue
            }
            let cut = (edge + next) / 2
            let crossing = cells.count { $0.box.minX < cut && $0.box.maxX > cut }
            guard crossing * 5 <= cells.count else { continue }
            let left = cells.filter { $0.box.maxX <= cut }
            let right = cells.filter { $0.box.minX >= cut }
            let leftNames = left.filter { !isPriceOnly($0.text) }
            let rightNames = right.filter { !isPriceOnly($0.text) }
            guard leftNames.count >= 2, rightNames.count >= 2 else { continue }
            let leaders = joined(right).compactMap(\.cells.first)
            guard leaders.count(where: { !isPriceOnly($0.text) }) * 3 >= leaders.count * 2 else { continue }
            if next - edge > best?.width ?? 0 { best = (cut, next - edge) }
        }
        return best?.cut
    }

    /// Cells whose heights overlap by half become one row.
    private func joined(_ cells: [TextLine]) -> [Row] {
        var rows: [Row] = []
        for cell in cells.sorted(by: { $0.box.center.y < $1.box.center.y }) {
            let index = rows.lastIndex { row in
                row.cells.contains { other in
                    let overlap = min(other.box.maxY, cell.box.maxY) - max(other.box.minY, cell.box.minY)
                    let isBeside = other.box.maxX <= cell.box.minX + 1 || cell.box.maxX <= other.box.minX + 1
                    return isBeside && overlap >= 0.5 * min(other.box.height, cell.box.height)
                }
            }
            if let index { rows[index].cells.append(cell) } else { rows.append(Row(cells: [cell])) }
        }
        for index in rows.indices { rows[index].cells.sort { $0.box.minX < $1.box.minX } }
        return rows
    }
}
