import Core

/// Finds the day of the purchase among the dates of a receipt.
struct ReceiptDates {
    let receipt: ReceiptPage
    let currency: String?

    struct Candidate {
        var row: Int
        var reading: DateReading
        var features: Features
    }

    func candidates() -> [Candidate] {
        var result: [Candidate] = []
        let rows = receipt.rows
        for index in rows.indices {
            for reading in rows[index].dates {
                guard !reading.needsWords,
                    reading.choices.contains(where: { $0.day.day != nil && $0.day.year != nil })
                else { continue }
                let row = rows[index]
                var features = Features()
                features.set(
                    "named", row.has(.date) || index > 0 && rows[index - 1].has(.date) && rows[index - 1].dates.isEmpty)
                features.set(
                    "timed",
                    row.hasTime || index + 1 < rows.count && rows[index + 1].hasTime && rows[index + 1].dates.isEmpty)
                features.set(
                    "other",
                    row.has(.otherDate) || index > 0 && rows[index - 1].has(.otherDate) && row.printed.letters < 4)
                features.set("explicit", reading.isExplicit)
                features.set("compact", reading.isCompact)
                features.set("compactSix", reading.isCompact && !reading.isExplicit)
                features.set("weak", reading.isWeak)
                features["depth"] = Double(index) / Double(max(1, rows.count))
                features["earlier"] = Double(min(3, result.count))
                features.set(
                    "repeated",
                    rows.indices.contains { other in
                        other != index
                            && rows[other].dates.contains { one in
                                one.choices.contains { reading.choices.contains($0) }
                            }
                    })
                features.set("contact", row.has(.contact))
                features["reading"] = row.printed.confidence(reading.range)
                result.append(Candidate(row: index, reading: reading, features: features))
            }
        }
        return result
    }

    /// Currencies of countries that also print two digits of the year before the month.
    private static let mayBeYearFirst: Set<String> = ["HKD", "ZAR", "LKR", "MYR"]
    /// Currencies of countries that print the year first, also as two digits.
    private static let yearFirst: Set<String> = ["CAD", "JPY", "KRW", "CNY", "TWD", "HUF", "SEK"]

    /// Those of them that print no points between the numbers: "17.11.12" begins with the day.
    private static let withoutPoints: Set<String> = ["CAD", "SEK"]

    /// True if a sign stands between the numbers of a date.
    private func has(_ sign: Unicode.Scalar, in reading: DateReading) -> Bool {
        receipt.rows.contains { row in
            row.dates.contains { $0.range == reading.range && $0.choices == reading.choices }
                && row.printed.text[reading.range].contains(sign)
        }
    }

    /// The day that a reading means, other days it may mean, and whether the order is certain.
    func day(of reading: DateReading) -> (day: PrintedDay, others: [PrintedDay], isCertain: Bool) {
        let choices = reading.choices.filter { $0.day.day != nil && $0.day.year != nil }
        guard choices.count > 1 else { return (choices.first?.day ?? reading.choices[0].day, [], true) }
        // Another date of the receipt that has only one order decides, then one that means the same day.
        let others = receipt.rows.flatMap(\.dates).filter { $0.range != reading.range || $0.choices != reading.choices }
        for other in others where other.choices.count == 1 && !other.hasMonthName && !other.isCompact {
            if let match = choices.first(where: { $0.order == other.choices[0].order }),
                (other.isExplicit == reading.isExplicit)
            {
                return (match.day, [], true)
            }
        }
        for other in others where other.choices.count == 1 {
            if let match = choices.first(where: { $0.day == other.choices[0].day }) { return (match.day, [], true) }
        }
        let isAmerican = currency == "USD"
        let isDotted = has(".", in: reading)
        let isYearFirst =
            currency.map { Self.yearFirst.contains($0) && !(isDotted && Self.withoutPoints.contains($0)) } ?? false
        var preferred: [DateReading.Order] = isAmerican ? [.monthDay, .dayMonth] : [.dayMonth, .monthDay]
        if !reading.isExplicit {
            // Where the year does not come first, only a year that no receipt can have says so.
            let old = choices.first { $0.order == preferred[0] }?.day.year ?? 0
            preferred.insert(.yearMonth, at: isYearFirst || old < 2008 ? 0 : 2)
        }
        let sorted = preferred.compactMap { order in choices.first { $0.order == order } }
        guard let first = sorted.first else { return (choices[0].day, [], false) }
        // Shops with another currency than the dollar, and shops with a decimal comma or full stops, print the day first;
        // the year comes first in few countries only, with strokes: "26-11-23", but not "12-11-26".
        let mayBeginWithYear =
            has("-", in: reading) && choices.contains { $0.order == .yearMonth && $0.day.isRecent }
        let isKnown =
            !isAmerican
            && (currency != nil || isDotted
                || receipt.hasDecimalCommas && (reading.isExplicit || !mayBeginWithYear))
        let isYearLast = !isYearFirst && currency.map { !Self.mayBeYearFirst.contains($0) } ?? true
        let isSettled =
            isKnown && (reading.isExplicit ? currency != "CAD" : isYearLast && first.day.isRecent)
            && first.order == .dayMonth
        return (first.day, isSettled ? [] : sorted.dropFirst().map(\.day), isSettled)
    }
}
