/// Numbers that look like a date and are an amount.
extension DateScanner {
    /// True for spaced numbers before a currency sign, such as two codes and a price: "1 7 12 €".
    static func isPrice(_ reading: DateReading, in text: [Unicode.Scalar]) -> Bool {
        guard reading.isWeak, !reading.isCompact, !reading.hasMonthName else { return false }
        let next = text[reading.range.upperBound...].first { !Letters.isSpace($0) }
        return next.map { "€$£¥".unicodeScalars.contains($0) } ?? false
    }

    /// True for numbers before a percent sign or a unit: "2.5 25%", "10 12 20 g".
    static func isAmount(_ reading: DateReading, in text: [Unicode.Scalar]) -> Bool {
        guard !reading.isExplicit, reading.isWeak else { return false }
        let rest = text[reading.range.upperBound...].drop { Letters.isSpace($0) }
        let unit = rest.prefix { Letters.isLetter($0) }
        // "200326 L2" names a line, no litres.
        if rest.dropFirst(unit.count).first.map(Letters.isDigit) == true { return false }
        return rest.first == "%"
            || ["kcal", "kj", "cal"].contains(Folding.fold(String(scalars: unit)))
            || AmountUnit(printed: String(scalars: unit)) != nil
    }
}
