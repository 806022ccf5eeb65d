import Core

/// Separates allergen codes from a dish's name: "(A,C,G)", "A,C,G", superscript digits, and codes without a space.
struct DishCodes: Sendable {
    let legend: Legend
    /// Codes with the same meaning everywhere: GF, V.
    let everywhere: Set<String>
    /// True if names of the page end in codes that it does not explain.
    var isTailUsual = false
    /// Longer codes are words.
    private static let shortestWord = 4

    /// The words without codes, and each code with the word that contained it.
    func split(_ words: [Word]) -> (words: [Word], codes: [(code: String, word: Word)]) {
        var rest: [Word] = []
        var codes: [(code: String, word: Word)] = []
        var index = 0
        while index < words.count {
            if let (name, found, taken) = bracketed(words, index) {
                if !name.text.isEmpty { rest.append(name) }
                codes += found
                index += taken
            } else {
                rest.append(words[index])
                index += 1
            }
        }
        let before = leadingCodes(rest)
        rest.removeFirst(before.count)
        codes = before + codes
        // One word is left: a name, unless it is the first of a list that the page explains, "1, 6, 7" without a name.
        while let last = rest.last, rest.count > 1 || !codes.isEmpty && isExplained(last),
            let found = wholeWordCodes(last)
        {
            codes = found.map { ($0, last) } + codes
            rest.removeLast()
        }
        if let last = rest.last, let (name, found) = appendedCodes(last.text) {
            rest[rest.count - 1].text = name
            codes = found.map { ($0, last) } + codes
        }
        if isTailUsual, let (name, found) = CodeTail.split(rest, isUsual: true) {
            rest = name
            codes = found + codes
        }
        return (rest, codes)
    }

    /// Lines that show how a page begins its codes.
    private static let leastLed = 3

    /// The words before explained numbers in several lines: A of "A>1,7" and "A 3".
    static func leads(in lines: some Sequence<[Word]>, _ legend: Legend) -> Set<Substring> {
        Set(
            Dictionary(grouping: lines.compactMap { led($0, legend)?.lead }) { $0 }
                .filter { $0.value.count >= leastLed }.keys)
    }

    /// The codes of a line that holds nothing but explained numbers behind a word; nil for another line.
    static func led(_ words: [Word], _ legend: Legend) -> (lead: Substring, codes: [(code: String, word: Word)])? {
        guard let lead = words.first?.text.prefix(while: \.isLetter), !lead.isEmpty else { return nil }
        var codes: [(code: String, word: Word)] = []
        for (place, word) in words.enumerated() {
            let text = place == 0 ? word.text[lead.endIndex...] : word.text[...]
            let numbers = text.split { !$0.isNumber }.map(String.init)
            guard !text.contains(where: \.isLetter), numbers.allSatisfy({ legend.meaning(of: $0) != nil }) else {
                return nil
            }
            codes += numbers.map { ($0, word) }
        }
        return codes.isEmpty ? nil : (lead, codes)
    }

    /// Universal codes of two letters or more before a name, "GF White Bread", with those of one letter between them.
    private func leadingCodes(_ words: [Word]) -> [(code: String, word: Word)] {
        let codes = words.dropLast().prefix { everywhere.contains($0.text) }
        let end = codes.lastIndex { $0.text.count > 1 }.map { $0 + 1 } ?? 0
        return codes.prefix(end).map { ($0.text, $0) }
    }

    /// True for a word that consists of two or more codes: "A,C,G".
    func isList(_ text: String) -> Bool { codes(in: text).count >= 2 }

    /// The codes of such a word; empty if the word is not a list of codes.
    func list(_ word: Word) -> [(code: String, word: Word)] { codes(in: word.text).map { ($0, word) } }

    private func codes(in text: String) -> [String] {
        let parts = CodeShape.lowered(text).split { ",;/ ".contains($0) }.map(String.init)
        return parts.allSatisfy(CodeShape.matches) ? parts : []
    }

    /// True for a code by its shape or by the page's legend. "Gl" is a code only if the legend has it.
    private func isCode(_ text: String) -> Bool {
        CodeShape.matches(text) || everywhere.contains(text) || legend.meanings[text] != nil
            || legend.shared[text] != nil
    }

    /// True for numbers that the page's legend explains.
    private func isExplained(_ word: Word) -> Bool {
        let parts = word.text.split { ",.; ".contains($0) }
        return !parts.isEmpty && parts.allSatisfy { Int($0) != nil && legend.meaning(of: String($0)) != nil }
    }

    private func elements(_ text: String) -> [String]? {
        // Most words are no list: the split below takes long.
        guard CodeShape.mayHaveRaised(text) || text.utf8.contains(where: Self.separators.contains) else {
            return !text.isEmpty && isCode(text) ? [text] : nil
        }
        let parts = CodeShape.lowered(text).split { ",;/+ ·&".contains($0) }.map(String.init)
        return !parts.isEmpty && parts.allSatisfy(isCode) ? parts : nil
    }

    private static let separators = Array(",;/+ &".utf8)

    private func bracketed(_ words: [Word], _ index: Int) -> (Word, [(code: String, word: Word)], Int)? {
        let text = words[index].text
        guard let open = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }) else {
            return nil
        }
        var inside = String(text[text.index(after: open)...])
        var taken = 1
        while !inside.contains(where: { ")]".contains($0) }), index + taken < words.count, taken < 12 {
            inside += " " + words[index + taken].text
            taken += 1
        }
        guard let close = inside.firstIndex(where: { ")]".contains($0) }),
            inside[inside.index(after: close)...].allSatisfy({ ",.;*".contains($0) }),
            let codes = elements(String(inside[..<close])) ?? dotted(inside[..<close])
                ?? (open == text.startIndex ? smallCodes(inside[..<close]) : nil)
        else { return nil }
        var name = words[index]
        name.text = String(text[..<open])
        return (name, codes.map { ($0, words[index]) }, taken)
    }

    /// Codes with points or with points and commas between them, "(1.10,11)", if the page explains each.
    private func dotted(_ text: Substring) -> [String]? {
        let parts = text.split { ",;. ".contains($0) }.map(String.init)
        return parts.count >= 2 && parts.allSatisfy { legend.meanings[$0] != nil } ? parts : nil
    }

    /// Universal codes in small letters, "(gf)", "(gf, v)".
    private func smallCodes(_ text: Substring) -> [String]? {
        guard text.contains(where: \.isLowercase), let codes = elements(text.uppercased()),
            codes.allSatisfy(everywhere.contains), codes.contains(where: { $0.count > 1 })
        else { return nil }
        return codes
    }

    /// The codes of the final word, if it consists only of codes. "A,C,G" always counts; a single code must be in the
    /// legend or universal.
    private func wholeWordCodes(_ word: Word) -> [String]? {
        let text = String(word.text.reversed().drop { ",.;*".contains($0) }.reversed())
        guard let codes = elements(text) else { return nil }
        // A word such as VEGAN is part of the name, and its meaning counts there.
        if codes.count == 1, codes[0].count >= Self.shortestWord, legend.meaning(of: codes[0]) == nil { return nil }
        if codes.allSatisfy({ legend.meaning(of: $0) != nil || everywhere.contains($0) }) { return codes }
        // "7,3,1" and "3,A" are codes; "7,5" may be a number.
        let letters = codes.count { $0.first?.isUppercase == true }
        let areNumbersPlain = codes.allSatisfy { $0.first != "0" }
        let isList = text.contains(",") && areNumbersPlain && (codes.count >= 3 || codes.count == 2 && letters >= 1)
        return codes.count >= 2 && letters == codes.count || isList ? codes : nil
    }

    /// Codes appended to a word, "SuppeA,C" and "Suppe1,3", if the legend has each code. Superscript digits always
    /// count.
    private func appendedCodes(_ text: String) -> (String, [String])? {
        if CodeShape.mayHaveRaised(text), let start = text.firstIndex(where: { CodeShape.raised[$0] != nil }),
            start > text.startIndex,
            let codes = elements(String(text[start...]))
        {
            return (String(text[..<start]), codes)
        }
        let characters = Array(text)
        for start in characters.indices.dropFirst(3)
        where characters[start - 1].isLowercase && !characters[start].isLowercase {
            let tail = String(characters[start...])
            guard tail.first?.isLetter == true || tail.first?.isNumber == true, let codes = elements(tail) else {
                continue
            }
            if codes.allSatisfy({ legend.meanings[$0] != nil }) { return (String(characters[..<start]), codes) }
        }
        return nil
    }
}
