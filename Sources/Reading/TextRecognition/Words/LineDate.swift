import Core

/// A date in the letters of a line. It serves to decide whether two readings of one print agree; what the date means is
/// decided by the judgement.
struct LineDate {
    /// The days that it may be. Two readings agree if they are the same.
    var choices: [DateReading.Choice]
    /// The least probability of its letters and digits, 0…1.
    var probability: Float
    /// Six digits without separators, such as a lot number may have too.
    var isBare: Bool
}

extension DateScanner {
    /// The dates with a year of which no part is guessed, from the line's beginning to its end.
    func dates(in letters: [LineDecoder.Letter]) -> [LineDate] {
        // One scalar a letter, so that ranges are those of the letters.
        let text = letters.map { $0.character.unicodeScalars.first ?? " " }
        return dates(in: text).compactMap { reading in
            let choices = reading.choices.filter { $0.day.year.map(PrintedDay.packageYears.contains) ?? false }
            guard !choices.isEmpty, !reading.needsWords, !reading.isMisread else { return nil }
            let printed = reading.range.filter { Letters.isDigit(text[$0]) || Letters.isLetter(text[$0]) }
            return LineDate(
                choices: choices, probability: printed.map { letters[$0].probability }.min() ?? 0,
                isBare: reading.isBare)
        }
    }
}
