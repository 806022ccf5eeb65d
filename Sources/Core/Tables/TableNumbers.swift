import Foundation

/// Collects the numbers of a table and decides which sign separates their decimals.
package struct TableNumbers: Sendable {
    /// Why a table's numbers cannot be read.
    package struct Problem: Error, Sendable, Hashable {
        package let detail: String
    }

    /// A number's text and where it stands.
    private struct Example {
        var text: String
        var place: String
        var count = 1
    }

    /// Numbers whose decimal sign is certain, by that sign.
    private var certain: [Character: Example] = [:]
    /// Numbers such as `1,050`, by the sign that separates thousands or decimals.
    private var open: [Character: Example] = [:]

    package init() {}

    /// - Parameters:
    ///   - text: of one cell; other text than numbers decides nothing.
    ///   - place: where the cell stands, such as `row 5`.
    package mutating func add(_ text: String, at place: @autoclosure () -> String) {
        guard let number = TableNumber(text), let sign = number.sign else { return }
        func count(_ examples: inout [Character: Example], _ sign: Character) {
            if examples[sign] == nil {
                examples[sign] = Example(text: String(text.prefix(20)), place: place())
            } else {
                examples[sign]?.count += 1
            }
        }
        if number.isOpen { count(&open, sign) } else { count(&certain, sign) }
    }

    /// How most numbers are written, in a table whose source separates no thousands.
    package var prevailing: NumberFormat {
        guard !certain.isEmpty else { return .ofEachNumber }
        func count(_ sign: Character) -> Int { certain[sign]?.count ?? 0 }
        return NumberFormat(decimalSign: count(",") > count(".") ? "," : ".")
    }

    /// How all numbers of the table are read.
    ///
    /// - Parameter isGrouped: false if the table's source separates no thousands, so that each sign is a decimal sign.
    /// - Throws: ``Problem`` if the numbers contradict each other, or fit both signs with different values.
    package func format(isGrouped: Bool) throws(Problem) -> NumberFormat {
        let signs = isGrouped || !certain.isEmpty ? certain : open
        if let comma = signs[","], let point = signs["."] {
            throw Problem(
                detail: "“\(comma.text)” (\(comma.place)) has a decimal comma and “\(point.text)” (\(point.place)) a "
                    + "decimal point: write all numbers in one way")
        }
        if signs.isEmpty, let example = open.values.min(by: { $0.place < $1.place }) {
            let digits = example.text.filter(\.isNumber)
            throw Problem(
                detail: "“\(example.text)” (\(example.place)) can be \(digits) or a number with decimals, and no other "
                    + "number decides: write \(digits) without a separator")
        }
        return NumberFormat(decimalSign: signs.keys.first)
    }
}

/// How a table writes numbers.
package struct NumberFormat: Sendable, Hashable {
    /// `,` or `.`; nil if every number says so itself.
    package let decimalSign: Character?

    package init(decimalSign: Character?) { self.decimalSign = decimalSign }

    /// Of numbers without separators of thousands: each comma or point is a decimal sign.
    package static let ofEachNumber = NumberFormat(decimalSign: nil)

    /// A number of 0 or more; nil for other text, and for a number that has another decimal sign.
    package func value(_ text: String) -> Decimal? {
        guard let number = TableNumber(text) else { return nil }
        guard number.isOpen else {
            return number.sign == nil || decimalSign == nil || number.sign == decimalSign ? number.least : nil
        }
        return decimalSign == nil || number.sign == decimalSign ? number.least : number.most
    }
}

/// The number of one cell, before the decimal sign of the table is known.
private struct TableNumber {
    /// The values with a decimal sign and with a separator of thousands; the same if there is no choice.
    let least, most: Decimal
    /// The decimal sign; if the number is open, the sign that may be it; nil if the number has neither.
    let sign: Character?
    let isOpen: Bool

    /// A quotient of an export has as many.
    private static let mostDigits = 60

    init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.allSatisfy(Self.belongs),
            let number = WrittenNumber(
                text.first.map { ",.".contains($0) } == true ? "0" + text : text, mostDigits: Self.mostDigits)
        else { return nil }
        (least, isOpen) = (number.decimal, number.alternative != nil)
        most = max(number.value, number.alternative ?? number.value)
        let signs = text.filter { ",.".contains($0) }
        guard let last = signs.last else {
            sign = nil
            return
        }
        // The sign of `1,234,567` separates thousands, so the other one separates decimals.
        let isRepeated = signs.count { $0 == last } > 1
        sign = isRepeated ? (last == "," ? "." : ",") : last
    }

    private static func belongs(_ letter: Character) -> Bool {
        letter.isASCII && letter.isNumber || ",.'’ \u{A0}\u{202F}\u{2009}".contains(letter)
    }
}
