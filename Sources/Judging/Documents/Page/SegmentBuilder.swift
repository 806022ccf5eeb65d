import Core

/// Groups the words of a deskewed page into segments.
struct SegmentBuilder {
    let slope: PageSlope
    /// Nil: the segments get no amounts.
    let scanner: AmountScanner?

    /// Minimum gap between two segments, in text heights.
    private static let gap = 1.15
    /// Minimum ratio of heights between two text styles.
    private static let jump = 1.9
    /// Maximum gap between joined segments, in text heights.
    private static let joinable = 2.5

    func segments(of words: [PageWord]) -> [TextSegment] {
        var rows: [Int: [PageWord]] = [:]
        for word in words { rows[word.line, default: []].append(word) }
        let runs = rows.keys.sorted().flatMap { cut(rows[$0, default: []].sorted { $0.left < $1.left }) }
        return runs.map { TextSegment($0, scanner) }
    }

    private func cut(_ row: [PageWord]) -> [[PageWord]] {
        var runs: [[PageWord]] = []
        for word in row {
            if let run = runs.last, let last = run.last,
                !isCut(between: last, word) || run.count == 1 && isNumber(last, of: word)
            {
                runs[runs.count - 1].append(word)
            } else {
                runs.append([word])
            }
        }
        return runs
    }

    private func isCut(between last: PageWord, _ word: PageWord) -> Bool {
        let height = min(word.height, last.height)
        if max(word.height, last.height) > Self.jump * height { return true }
        let drop =
            word.middle - last.middle
            - slope.at(word.left, word.middle) * (word.center - last.center)
        if abs(drop) > 0.6 * height { return true }
        guard word.left - last.right > Self.gap * height else { return false }
        return !isLeader(word.word.text) && !endsInLeader(last.word.text)
    }

    /// True for the number of a dish before its name. It is often small, so that the gap looks wide.
    private func isNumber(_ number: PageWord, of name: PageWord) -> Bool {
        let text = number.word.text.unicodeScalars
        let digits = text.prefix(while: Letters.isDigit).count
        guard (1...3).contains(digits), text.dropFirst(digits).allSatisfy({ $0 == "." || $0 == ")" }),
            Letters.longestRun(Array(name.word.text.unicodeScalars)[...]) >= 3
        else { return false }
        let height = max(number.height, name.height)
        return name.left - number.right < Self.gap * height && height < Self.jump * min(number.height, name.height)
            && abs(slope.rise(from: number.center, number.middle, to: name.center, name.middle)) < 0.35 * height
    }

    private static let leaders: Set<Character> = [".", "…", "·", "_", "-", "–"]

    private func isLeader(_ text: String) -> Bool { text.allSatisfy { Self.leaders.contains($0) } }

    private func endsInLeader(_ text: String) -> Bool {
        text.count >= 2 && text.suffix(2).allSatisfy { [".", "…", "·", "_"].contains($0) }
    }

    /// Joins neighbours in a row if a line of similar height directly above or below spans the gap.
    func joined(_ segments: [TextSegment]) -> [TextSegment] {
        var found = segments.sorted { $0.left < $1.left }
        let usual = TextSegment.median(found.map(\.height))
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            search: for first in found.indices {
                guard found[first].hasWord, PriceForms.tail(of: found[first]).isEmpty else { continue }
                // The partner lies on the right, so it comes later, and not far away.
                let reach = Self.joinable * found[first].height
                for second in found.indices[(first + 1)...] {
                    guard found[second].left - found[first].right < reach else { break }
                    guard isPair(found[first], found[second]) else { continue }
                    guard found[second].hasWord, PriceForms.head(of: found[second]).isEmpty,
                        belong(first, second, found, usual)
                    else { continue }
                    found[first] = TextSegment(found[first].words + found[second].words, scanner)
                    found.remove(at: second)
                    hasChanged = true
                    break search
                }
            }
        }
        return found
    }

    private func isPair(_ one: TextSegment, _ other: TextSegment) -> Bool {
        let gap = other.left - one.right
        let height = min(one.height, other.height)
        return gap > 0 && gap < Self.joinable * height && max(one.height, other.height) <= 1.25 * height
            && abs(slope.rise(one, other)) <= 0.35 * height
    }

    private func belong(_ first: Int, _ second: Int, _ found: [TextSegment], _ usual: Double) -> Bool {
        let (one, other) = (found[first], found[second])
        let height = min(one.height, other.height)
        // Display type has wide letter spacing.
        if other.left - one.right < 1.6 * height, height > 1.5 * usual { return true }
        return found.indices.contains { index in
            let line = found[index]
            return index != first && index != second && line.left < one.right - height
                && line.right > other.left + height
                && line.height / height > 0.6 && line.height / height < 1.6
                && abs(slope.rise(one, line)) < 2.2 * height
        }
    }
}
