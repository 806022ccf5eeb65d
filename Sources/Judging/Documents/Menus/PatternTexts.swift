import Core
import Foundation

/// The texts of a page as its pattern sees them: a tree in reading order, and small numbers that say how a text is printed
/// and what its words say.
public struct PatternTexts: Sendable, Encodable {
    /// What is counted for each role, with the number of its values.
    static let features: [(name: String, values: Int)] = [
        ("height", 8), ("capitals", 4), ("prefix", 5), ("stroke", 8), ("ink", 5), ("prices", 4), ("words", 6),
        ("commas", 4),
        ("letters", 8), ("continues", 2), ("noteWords", 3), ("headings", 3), ("codes", 4), ("alignment", 7),
        ("growth", 4),
    ]
    /// Values of `gaps`: seven distances to the text above and one beyond, beside it, and none.
    static let gapValues = 10

    /// The text that each text follows: the one above it, or the one on its left in a row. Nil at the top of a column.
    private(set) var parents: [Int?] = []
    /// Parents before their children.
    private(set) var order: [Int] = []
    /// The value of each feature, text by text.
    private(set) var values: [[UInt8]]
    private(set) var gaps: [Int] = []
    /// The group of texts in the same print.
    private(set) var styles: [Int] = []
    private(set) var styleCount = 0
    private(set) var isNumbered: [Bool]
    private(set) var isPriced: [Bool]

    var count: Int { parents.count }

    /// Training counts these.
    private enum CodingKeys: CodingKey { case parents, values, gaps }

    private let features: RoleFeatures
    private var isBeside: [Bool] = []

    public init(_ page: PageLayout, _ features: RoleFeatures) {
        self.features = features
        isNumbered = page.texts.map { Self.startsWithNumber($0.segment.text) }
        isPriced = page.texts.map { !$0.rowPrices.isEmpty }
        values = Array(repeating: [], count: features.count)
        for index in isNumbered.indices where features.value(index, .startsWithNumber) > 0 { isNumbered[index] = true }
        link()
        group()
        for index in parents.indices {
            gaps.append(gap(of: index))
            values[index] = print(of: index) + content(of: index)
        }
    }

    // MARK: The tree

    private mutating func link() {
        isBeside = Array(repeating: false, count: features.count)
        parents = features.links.map(\.[0])
        for index in parents.indices {
            guard let left = features.links[index][4], isRow(left, index) else { continue }
            (parents[index], isBeside[index]) = (left, true)
        }
        var children = [[Int]](repeating: [], count: parents.count)
        for index in parents.indices {
            var at = parents[index]
            // A circle of neighbours is cut where it is found.
            for _ in 0..<parents.count {
                guard let next = at, next != index else { break }
                at = parents[next]
            }
            if at != nil { (parents[index], isBeside[index]) = (nil, false) }
            if let parent = parents[index] { children[parent].append(index) } else { order.append(index) }
        }
        var at = 0
        while at < order.count {
            order += children[order[at]]
            at += 1
        }
    }

    /// True for a text close behind another one in its row, with nothing above it that is nearer.
    private func isRow(_ left: Int, _ index: Int) -> Bool {
        let (one, text) = (place(left), place(index))
        guard abs(text.middle - one.middle) < 0.45 * text.height,
            text.left - one.right < 2.5 * min(text.height, one.height), !isPriced[left]
        else { return false }
        guard let up = features.links[index][0] else { return true }
        let above = place(up)
        return text.middle - above.middle > 3.5 * text.height
            || features.links[up][4] == nil && abs(above.left - one.left) < abs(above.left - text.left)
    }

    private struct Place {
        var left, right, middle, height: Float
    }

    /// Where a text lies, in text heights of the page.
    private func place(_ index: Int) -> Place {
        let (width, places) = (RoleFeatures.placeWidth, features.places)
        return Place(
            left: places[index * width], right: places[index * width + 1], middle: places[index * width + 2],
            height: places[index * width + 3])
    }

    /// The number of the first edge that a value does not exceed.
    private static func bin(_ value: Float, _ edges: Float...) -> UInt8 {
        UInt8(edges.firstIndex { value <= $0 } ?? edges.count)
    }

    private func gap(of index: Int) -> Int {
        guard let parent = parents[index] else { return 9 }
        if isBeside[index] { return 8 }
        let (text, above) = (place(index), place(parent))
        let distance = (text.middle - above.middle) / max(text.height, above.height)
        return Int(Self.bin(distance, 0.95, 1.15, 1.35, 1.6, 1.95, 2.5, 3.8))
    }

    // MARK: Features

    private func print(of index: Int) -> [UInt8] {
        let value = { (column: RoleFeatures.Column) in features.value(index, column) }
        let capitals: UInt8 =
            value(.letterShare) < 0.3 ? 3 : value(.upper) > 0.8 ? 2 : value(.startsLower) > 0 ? 0 : 1
        let prefix: UInt8 =
            isNumbered[index]
            ? 1
            : value(.startsWithCount) > 0 ? 2 : value(.startsWithBullet) > 0 ? 3 : value(.startsWithBracket) > 0 ? 4 : 0
        let (ink, isMeasured) = ink(of: index)
        return [
            Self.bin(log(max(0.1, place(index).height)), -0.35, -0.15, -0.05, 0.05, 0.15, 0.35, 0.7), capitals, prefix,
            isMeasured ? Self.bin(ink[6], -0.4, -0.2, -0.07, 0.07, 0.2, 0.4) : 7,
            isMeasured ? Self.bin(value(.inkDistance), 0.2, 0.5, 1) : 4, UInt8(min(3, value(.rowPrices))),
        ]
    }

    /// Contrast (3), ground (3) and stroke, and whether they were measured.
    private func ink(of index: Int) -> (values: [Float], isMeasured: Bool) {
        let start = index * RoleFeatures.placeWidth + 4
        return (Array(features.places[start..<(start + 7)]), features.places[start + 7] > 0)
    }

    private func content(of index: Int) -> [UInt8] {
        let value = { (column: RoleFeatures.Column) in features.value(index, column) }
        let letters = RoleFeatures.Column.letterScores.map(value)
        let likely = letters.max() ?? 0
        let sound = letters.firstIndex(of: likely) ?? 0
        let parent = parents[index]
        let continues =
            parent.map { features.value($0, .endsOpen) > 0 || features.value($0, .opensBracket) > 0 } ?? false
        return [
            Self.bin(exp(value(.words)) - 1, 1.5, 2.5, 4.5, 7.5, 12.5), Self.bin(value(.commas), 0.01, 0.12, 0.3),
            UInt8(2 * sound + (likely > log(0.65) ? 1 : 0)), continues ? 1 : 0, Self.bin(value(.noteWords), 0.5, 1.5),
            (value(.headings) > 0 ? 1 : 0) + (value(.endsWithColon) > 0 ? 1 : 0),
            (value(.hasContact) > 0 ? 1 : 0) + (value(.isCodes) > 0 ? 2 : 0), alignment(of: index), growth(of: index),
        ]
    }

    private func alignment(of index: Int) -> UInt8 {
        guard let parent = parents[index] else { return 5 }
        if isBeside[index] { return 6 }
        let (text, above) = (place(index), place(parent))
        let left = text.left - above.left
        if abs(left) < 0.45 { return 0 }
        if abs(left + text.right - above.right) < 1.2 { return 1 }
        return left > 4 ? 3 : left > 0 ? 2 : 4
    }

    private func growth(of index: Int) -> UInt8 {
        guard let parent = parents[index] else { return 3 }
        return Self.bin(place(index).height / max(0.05, place(parent).height), 0.87, 1.15)
    }

    /// True for "12. Name", "M1. Name", "A4) Name", "101a: Name" and "B12 Name".
    private static func startsWithNumber(_ text: [Unicode.Scalar]) -> Bool {
        let series = text.prefix(2).prefix { $0.isASCII && Letters.isLetter($0) }
        var rest = text.dropFirst(series.count).drop { $0 == " " && !series.isEmpty }
        let digits = rest.prefix(while: Letters.isDigit)
        guard (1...3).contains(digits.count) else { return false }
        rest = rest.dropFirst(digits.count)
        let isCode = series.count == 1 && series.first.map(TextTraits.isUpper) == true && rest.first == " "
        if isCode, rest.drop(while: { $0 == " " }).first.map(Letters.isLetter) == true { return true }
        if series.isEmpty, let letter = rest.first, letter.isASCII, Letters.isLetter(letter) { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " }
        guard let sign = rest.first, [".", ")", ":"].contains(sign) else { return false }
        return rest.dropFirst().drop { $0 == " " }.first.map(Letters.isLetter) == true
    }

    /// True for a text in small letters that follows one with a capital.
    func continuesName(_ index: Int) -> Bool {
        guard let parent = parents[index] else { return false }
        return features.value(index, .startsLower) > 0 && features.value(parent, .startsUpper) > 0 && !isPriced[parent]
    }

    // MARK: Styles

    /// Groups texts of the same print: the text with the most others like it leads the first group, and so on.
    private mutating func group() {
        let points = features.links.indices.map(point)
        let isLike = points.map { one in points.map { Self.distance(one, $0) < 1.5 } }
        styles = Array(repeating: -1, count: points.count)
        var sizes = isLike.map { $0.count { $0 } }
        while let lead = sizes.indices.filter({ styles[$0] < 0 }).max(by: { (sizes[$0], $1) < (sizes[$1], $0) }) {
            for index in points.indices where styles[index] < 0 && (isLike[lead][index] || index == lead) {
                styles[index] = styleCount
                for other in points.indices where isLike[other][index] { sizes[other] -= 1 }
            }
            styleCount += 1
        }
    }

    /// Height, capitals, stroke, ink and number, in units in which two styles differ by one and a half.
    private func point(_ index: Int) -> SIMD8<Float> {
        let capitals: Float =
            features.value(index, .upper) > 0.8 ? 2.5 : features.value(index, .startsLower) > 0 ? 0 : 1.25
        let (ink, isMeasured) = ink(of: index)
        let weight: Float = isMeasured ? 1 : 0
        let number: Float = features.value(index, .startsWithNumber) > 0 ? 1.5 : 0
        return [
            log(max(0.1, place(index).height)) / 0.16, capitals, weight * ink[6] / 0.3, weight * 2 * ink[0],
            weight * 2 * ink[1], weight * 2 * ink[2], number, 0,
        ]
    }

    private static func distance(_ one: SIMD8<Float>, _ other: SIMD8<Float>) -> Float {
        let difference = one - other
        return (difference * difference).sum().squareRoot()
    }
}
