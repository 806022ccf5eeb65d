/// The month of an abbreviation that OCR misread in one letter or that lost its first one: "HUG", "sEF", "EB". Printers of
/// dates abbreviate in English.
enum MonthGuess {
    private static let names: [[UInt8]] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }

    /// Other words of a package that differ from a month by one letter.
    private static let others: Set<String> = ["fab", "not", "mal", "mag", "jut", "den", "der", "des", "sek", "cap"]

    /// - Parameter word: folded.
    /// - Returns: 1…12; nil if no month or more than one is that near.
    static func month(of word: String) -> Int? {
        let letters = Array(word.utf8)
        guard (2...3).contains(letters.count), !others.contains(word) else { return nil }
        let found = names.indices.filter { number in
            letters.count == 2
                ? names[number].dropFirst().elementsEqual(letters)
                : zip(names[number], letters).count { $0 != $1 } == 1
        }
        return found.count == 1 ? found[0] + 1 : nil
    }
}
