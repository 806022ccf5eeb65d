import Core

/// Splits a description from a name on the same line: "Margherita (Tomate, Mozzarella)", "MARGHERITA tomato,
/// mozzarella", "Margherita - tomato, mozzarella".
enum NameSplitter {
    /// Minimum ratio of the letters' widths of a name and of a description in smaller print.
    private static let widthRatio = 1.3

    /// Letters in the number of a dish.
    private static let mostSeriesLetters = 2

    /// Fewer letters give no reliable width.
    private static let shortestName = 7

    /// The words of the name and of the description. The description is empty if the line is only a name.
    ///
    /// - Parameters:
    ///   - isDescribed: a description follows on the next line, so that an open bracket begins it.
    ///   - step: the place at which the print changes, as on other lines of the page.
    static func split(
        _ words: [Word], isDescribed: Bool = false, step: Int? = nil
    ) -> (name: [Word], description: [Word]) {
        let step = step.map { words.prefix($0).flatMap(parted).count }
        let words = words.flatMap(parted)
        let first = firstOfName(words)
        for place in words.indices.dropFirst(first + 1) {
            let rest = words[place...]
            let text = words[place].text
            let isOpen = isDescribed && text.hasPrefix("(") && !rest.contains { $0.text.contains(")") }
            // "Paccheri (short tubes) with aubergines": the name continues behind its brackets.
            guard isOpen || isList(rest), !isInterrupted(rest) else { continue }
            let isBracket = text.hasPrefix("(") && !isCodes(rest)
            let isDash =
                dashes.contains(text) || words[place - 1].text.hasSuffix(":")
                || text.count > 2 && text.first.map(dashSigns.contains) == true
            let name = words[first..<place]
            if isOpen || isBracket || isDash || startsLower(name, rest) || isSmaller(name, rest)
                || startsAgain(name, rest) || place == step
            {
                return (Array(words[..<place]), trimmed(rest))
            }
        }
        return (words, [])
    }

    /// A name and the bracket that the reading joined to it, "Campagnarde(champignons,", as two words.
    private static func parted(_ word: Word) -> [Word] {
        guard let open = word.text.firstIndex(of: "("), word.text[..<open].count(where: \.isLetter) >= 3,
            word.text[open...].dropFirst().prefix(3).count(where: \.isLetter) == 3
        else { return [word] }
        var (name, rest) = (word, word)
        name.text = String(word.text[..<open])
        rest.text = String(word.text[open...])
        return [name, rest]
    }

    /// The word that ends the first part of a list: a name of one to four words; nil without one.
    static func firstComma(_ words: [Word]) -> Int? {
        words.prefix(4).firstIndex { $0.text.hasSuffix(",") }
    }

    /// True for the beginning of a list that continues in the next line.
    static func goesOn(_ words: [Word]) -> Bool {
        guard let comma = firstComma(words) else { return false }
        return comma < words.count - 1 && words.last?.text.hasSuffix(",") == true
    }

    private static let dashes: Set<String> = ["-", "–", "—", ":"]
    private static let dashSigns: Set<Character> = ["-", "–", "—"]

    /// The first word after the number of a dish: "12.", "12 -", "M1.", "101a".
    private static func firstOfName(_ words: [Word]) -> Int {
        guard words.count > 1, words[0].text.contains(where: \.isNumber),
            words[0].text.count(where: \.isLetter) <= mostSeriesLetters
        else { return 0 }
        return words.count > 2 && dashes.contains(words[1].text) ? 2 : 1
    }

    /// True for a list in smaller print behind a name. The reader gives all words of a line one height, so the widths of
    /// their letters tell.
    private static func isSmaller(_ name: ArraySlice<Word>, _ list: ArraySlice<Word>) -> Bool {
        let (wide, narrow) = (name.compactMap(letterWidth), list.compactMap(letterWidth))
        guard list.first.flatMap(letterWidth) != nil,
            name.filter({ letterWidth($0) != nil }).reduce(0, { $0 + $1.text.count }) >= shortestName,
            let least = wide.min(), narrow.count >= 2, let most = narrow.max()
        else { return false }
        let mean = { (widths: [Double]) in widths.reduce(0, +) / Double(widths.count) }
        return mean(wide) > widthRatio * mean(narrow) && least > 1.1 * most
    }

    /// Mean width of a word's letters, pixels; nil for a short word, whose width depends on its letters.
    private static func letterWidth(_ word: Word) -> Double? {
        let count = word.text.count
        guard count >= 4 else { return nil }
        let (left, right) = (word.box.topLeft, word.box.topRight)
        let (x, y) = (right.x - left.x, right.y - left.y)
        return (x * x + y * y).squareRoot() / Double(count)
    }

    /// True for a list that starts like a sentence behind a name: "Feijoada completa Arroz, farofa, couve".
    private static func startsAgain(_ name: ArraySlice<Word>, _ list: ArraySlice<Word>) -> Bool {
        guard let last = name.last?.text, last.count >= 4, last.allSatisfy(\.isLowercase), list.count >= 2,
            list.count(where: { $0.text.hasSuffix(",") }) >= 2,
            name.first?.text.first?.isUppercase == true, list.first?.text.first?.isUppercase == true
        else { return false }
        return list.dropFirst().allSatisfy { $0.text.first?.isUppercase == false }
    }

    /// True for words with a comma between them, or for four words in brackets; for three if the bracket closes and none is
    /// a number.
    static func isList(_ words: ArraySlice<Word>) -> Bool {
        if words.dropLast().contains(where: { $0.text.hasSuffix(",") }) || words.contains(where: isJoined) {
            return true
        }
        guard words.first?.text.hasPrefix("(") == true else { return false }
        return words.count >= 4
            || words.count == 3 && words.last?.text.hasSuffix(")") == true
                && !words.contains { $0.text.contains(where: \.isNumber) }
    }

    /// True for parts of a list without blanks: "jambon,champignons".
    private static func isJoined(_ word: Word) -> Bool {
        let letters = Array(word.text.unicodeScalars)
        return zip(letters, letters.dropFirst(2)).enumerated().contains { place, sides in
            letters[place + 1] == "," && Letters.isLetter(sides.0) && Letters.isLetter(sides.1)
        } && Letters.longestRun(letters[...]) >= 3
    }

    /// True for brackets of words that close before words in small letters. A measure in brackets ends the name: "Curry (120 g)
    /// with rice, nuts".
    private static func isInterrupted(_ words: ArraySlice<Word>) -> Bool {
        guard words.first?.text.hasPrefix("(") == true,
            let close = words.firstIndex(where: { $0.text.hasSuffix(")") }), close < words.endIndex - 1,
            !words[...close].contains(where: { $0.text.contains(where: \.isNumber) })
        else { return false }
        return words[close + 1].text.first?.isLowercase == true
    }

    /// True for "(A, C, G)" and "(1,3)".
    private static func isCodes(_ words: ArraySlice<Word>) -> Bool {
        let parts = words.flatMap { $0.text.split { "(),;/".contains($0) } }
        return parts.allSatisfy { $0.count <= 2 }
    }

    /// True if capital letters end with the name and only lower-case words follow.
    private static func startsLower(_ name: ArraySlice<Word>, _ rest: ArraySlice<Word>) -> Bool {
        guard name.allSatisfy({ isCapitals($0.text) }), name.contains(where: { $0.text.count > 2 }) else {
            return false
        }
        return rest.count >= 2 && rest.allSatisfy { !isCapitals($0.text) || $0.text.count == 1 }
            && rest.first?.text.first?.isLetter == true
    }

    private static func isCapitals(_ text: String) -> Bool {
        text.contains(where: \.isLetter) && !text.contains(where: \.isLowercase)
    }

    /// The words without enclosing brackets or a leading dash.
    private static func trimmed(_ words: ArraySlice<Word>) -> [Word] {
        var words = words.drop { dashes.contains($0.text) }
        if let first = words.first, first.text.first.map(dashSigns.contains) == true {
            words[words.startIndex].text.removeFirst()
        }
        if let first = words.first, first.text.hasPrefix("(") {
            words[words.startIndex].text.removeFirst()
            if let last = words.indices.last {
                while words[last].text.hasSuffix(")") { words[last].text.removeLast() }
            }
        }
        return words.filter { !$0.text.isEmpty }
    }
}
