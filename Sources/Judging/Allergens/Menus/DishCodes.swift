import Core
import Documents

/// The text of a dish without its codes.
struct DishWords: Sendable {
    var name: [Word] = []
    var description: [[Word]] = []
    var codes: [PrintedCode] = []
    /// False if the codes may be those of another dish.
    var areCodesSure = true
    var prices: [Menu.Price] = []
    var boxes: [Quad] = []
}

/// Separates allergen codes from a dish's name: "(A,C,G)", "A,C,G", superscript digits, and codes without a space.
struct DishCodes: Sendable {
    let legend: Legend
    private let lexiconIndex: LexiconIndex
    /// True if names of the page end in codes that it does not explain.
    private let isTailUsual: Bool
    /// True if the reading joined codes to words of the page's names.
    private let areGlued: Bool
    /// Longer codes are words.
    private static let shortestWord = 4

    /// - Parameter dishes: of the page; their names show how it prints codes.
    init(legend: Legend, _ lexiconIndex: LexiconIndex, of dishes: [MenuPage.Dish] = []) {
        (self.legend, self.lexiconIndex) = (legend, lexiconIndex)
        let names = dishes.lazy.map { Array($0.name.joined()) }
        isTailUsual = CodeTail.isUsual(in: names)
        areGlued = GluedCodes.areUsual(in: names)
    }

    func text(of dish: MenuPage.Dish) -> DishWords {
        var text = text(dish.name, dish.description, dish.codes)
        (text.areCodesSure, text.prices, text.boxes) = (dish.areCodesSure, dish.prices, dish.boxes)
        return text
    }

    /// - Parameters:
    ///   - name, description: lines with codes among their words.
    ///   - apart: codes in a text of their own.
    func text(_ name: [[Word]], _ description: [[Word]], _ apart: [PrintedCode] = []) -> DishWords {
        var text = DishWords()
        var (name, description) = (name.flatMap(\.self), description)
        if areGlued, let glued = GluedCodes.split(name) {
            name = glued.words
            text.codes = glued.codes
            if !glued.rest.isEmpty { description.insert(glued.rest, at: 0) }
        }
        let (words, found) = split(name)
        text.name = words
        text.codes += found
        for line in description {
            let (words, found) = split(line)
            let isCodesOnly = words.count == 1 && found.isEmpty && isList(words[0].text)
            text.codes += isCodesOnly ? list(words[0]) : found
            if !isCodesOnly, !words.isEmpty { text.description.append(words) }
        }
        text.codes += apart
        return text
    }

    /// True for words that end in "para 2" or "for 4": a number behind a word without a meaning of its own is a count.
    private func isCount(_ words: [Word]) -> Bool {
        guard words.count > 1, Int(words[words.count - 1].text) != nil else { return false }
        return lexiconIndex.has(.function, Folding.fold(words[words.count - 2].text))
    }

    /// The words without codes, and each code with the word that contained it.
    func split(_ words: [Word]) -> (words: [Word], codes: [PrintedCode]) {
        var rest: [Word] = []
        var codes: [PrintedCode] = []
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
            !isCount(rest), let found = wholeWordCodes(last)
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

    /// True for a code with the same meaning everywhere: GF, V.
    private func isEverywhere(_ code: String) -> Bool {
        lexiconIndex.dietCodes.contains(code) || lexiconIndex.claimCodes[code] != nil
    }

    /// Universal codes of two letters or more before a name, "GF White Bread", with those of one letter between them.
    private func leadingCodes(_ words: [Word]) -> [PrintedCode] {
        let codes = words.dropLast().prefix { isEverywhere($0.text) }
        let end = codes.lastIndex { $0.text.count > 1 }.map { $0 + 1 } ?? 0
        return codes.prefix(end).map { ($0.text, $0) }
    }

    /// True for a word that consists of two or more codes: "A,C,G".
    private func isList(_ text: String) -> Bool { codes(in: text).count >= 2 }

    /// The codes of such a word; empty if the word is not a list of codes.
    private func list(_ word: Word) -> [PrintedCode] { codes(in: word.text).map { ($0, word) } }

    private func codes(in text: String) -> [String] {
        let parts = CodeShape.lowered(text).split { ",;/ ".contains($0) }.map(String.init)
        return parts.allSatisfy(CodeShape.matches) ? parts : []
    }

    /// True for a code by its shape or by the page's legend. "Gl" is a code only if the legend has it.
    private func isCode(_ text: String) -> Bool {
        CodeShape.matches(text) || isEverywhere(text) || legend.meanings[text] != nil
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

    private func bracketed(_ words: [Word], _ index: Int) -> (Word, [PrintedCode], Int)? {
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
            codes.allSatisfy(isEverywhere), codes.contains(where: { $0.count > 1 })
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
        if codes.allSatisfy({ legend.meaning(of: $0) != nil || isEverywhere($0) }) { return codes }
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
