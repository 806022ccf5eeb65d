import Core

/// Numbers that count the items of a list: 1, 2, 3 below each other, alone or before a name.
struct RisingNumbers {
    /// A number and where its text begins on the deskewed page, pixels.
    struct Number {
        var value: Int
        var left, middle, height: Double

        init(value: Int, of segment: TextSegment) {
            (self.value, left, middle, height) = (value, segment.left, segment.middle, segment.height)
        }
    }

    /// A longer number is a code or an amount.
    static let largest = 300

    /// The indices of numbers that are aligned and each at most `step` more than the one before, in runs of `least` and more.
    static func rising(_ numbers: [Number], step: Int, least: Int) -> Set<Int> {
        var found: Set<Int> = []
        // Each column has a run of its own.
        var runs: [[Int]] = []
        for index in numbers.indices.sorted(by: { numbers[$0].middle < numbers[$1].middle }) {
            let number = numbers[index]
            let column = runs.firstIndex { run in
                run.last.map { abs(numbers[$0].left - number.left) < 2 * number.height } ?? false
            }
            guard let column else {
                runs.append([index])
                continue
            }
            let rise = runs[column].last.map { number.value - numbers[$0].value } ?? 0
            runs[column] = (1...step).contains(rise) ? runs[column] + [index] : [index]
            if runs[column].count >= least { found.formUnion(runs[column]) }
        }
        return found
    }

    /// Number of texts that begin with a number of such a list, or have it on their left: "12. Chow mein", "A3 Chow mein".
    static func countedTexts(_ segments: [TextSegment]) -> Int {
        let numbers = segments.compactMap { segment -> Number? in
            let text = segment.whole
            let start = text.first.map(Letters.isLetter) == true ? 1 : 0
            let digits = text.dropFirst(start).prefix(while: Letters.isDigit)
            let rest = text[digits.endIndex...]
            guard (1...3).contains(digits.count), let value = Int(String(scalars: digits)), value < largest,
                rest.first.map(Letters.isWordPart) != true, Letters.longestRun(rest) >= 3 || isNamed(segment, segments)
            else { return nil }
            return Number(value: value, of: segment)
        }
        return rising(numbers, step: 2, least: 4).count
    }

    /// True for a number alone with a text on its right.
    static func isNamed(_ number: TextSegment, _ segments: [TextSegment]) -> Bool {
        guard number.words.count == 1 else { return false }
        return segments.contains { other in
            other.hasWord && other.left > number.right && other.left - number.right < 4 * number.height
                && isInRow(number, other)
        }
    }

    static func isInRow(_ one: TextSegment, _ other: TextSegment) -> Bool {
        abs(other.middle - one.middle) < 0.6 * one.height
    }
}
