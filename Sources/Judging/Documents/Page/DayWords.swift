import Core

/// The words of days: weekdays, months, and the words around them. On a card of a week they head its dishes.
struct DayWords: Sendable {
    private let weekdays: Set<String>
    private let others: Set<String>
    /// The beginnings of each language's weekdays, "mo" and "mon".
    private let beginnings: [Set<String>]
    /// Short names of days on this page.
    private var short: Set<String> = []
    /// True on a card of a week: a day before a dish needs no date.
    private(set) var isWeek = false

    /// Different days at the beginnings of texts that make a page a card of a week, if they are written out and if not.
    private static let leastDays = 3, leastShortDays = 4

    /// - Parameters:
    ///   - weeks: folded weekdays of each language.
    ///   - others: folded words beside days.
    init(weeks: [[String]], others: [String]) {
        weekdays = Set(weeks.joined())
        self.others = Set(others)
        beginnings = weeks.map { week in Set(week.flatMap { day in [2, 3].map { String(day.prefix($0)) } }) }
    }

    /// The same words for a page with these texts.
    func on(_ texts: [[Unicode.Scalar]]) -> DayWords {
        let first = Set(
            texts.compactMap { Folding.tokens(of: Array($0.prefix { !Letters.isSpace($0) })).first?.text })
        var words = self
        for week in beginnings where week.intersection(first).count >= Self.leastShortDays {
            words.short.formUnion(week)
        }
        words.isWeek = !words.short.isEmpty || first.intersection(weekdays).count >= Self.leastDays
        return words
    }

    private func isWeekday(_ word: String) -> Bool { weekdays.contains(word) || short.contains(word) }

    /// True for a text that names one day and nothing else: "Montag, 12. Mai", "QUINTA FEIRA", "Sobota 15.10.".
    func isDay(_ text: [Unicode.Scalar]) -> Bool {
        // "Mo-Fr 11:30" tells when the house is open.
        date(in: text).map { tokens in tokens.count { isWeekday($0.text) } == 1 } ?? false
    }

    /// True for a date below its weekday on a card of a week: "12. Mai 2026".
    func isDate(_ text: [Unicode.Scalar]) -> Bool {
        guard isWeek, let tokens = date(in: text) else { return false }
        return tokens.contains(where: \.isNumber) && !tokens.allSatisfy(\.isNumber)
            && !tokens.contains { isWeekday($0.text) }
    }

    /// The words of a text that has only days, months, numbers and words beside them; else nil.
    private func date(in text: [Unicode.Scalar]) -> [Token]? {
        guard !text.dropLast().contains(":"),
            text.allSatisfy({ Letters.isWordPart($0) || " .,:/-–()".unicodeScalars.contains($0) })
        else { return nil }
        let tokens = Folding.tokens(of: text)
        guard (1...6).contains(tokens.count), tokens.count(where: \.isNumber) <= 3,
            tokens.allSatisfy({ $0.isNumber || isWeekday($0.text) || others.contains($0.text) })
        else { return nil }
        return tokens
    }

    /// The end of a day at the start of a text, or nil. It has its date or a colon, "Pondělí 10.10. polévka"; on a card of
    /// a week, "Pondělí polévka" is enough.
    func prefix(of text: [Unicode.Scalar]) -> Int? {
        let tokens = Folding.tokens(of: text)
        let day = tokens.prefix { $0.isNumber || isWeekday($0.text) || others.contains($0.text) }
        guard let last = day.last, day.count < tokens.count, day.count(where: { isWeekday($0.text) }) == 1 else {
            return nil
        }
        var end = last.range.upperBound
        while end < text.count, [".", ":", ",", ")"].contains(text[end]) { end += 1 }
        let isSet = isWeek || day.contains(where: \.isNumber) || text[last.range.upperBound..<end].contains(":")
        return isSet && isDay(Array(text[..<last.range.upperBound])) ? end : nil
    }
}
