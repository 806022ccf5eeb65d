import Core
import Documents

/// Allergen codes at the ends of the names of a page that does not explain them: "SuppeA,C,G", "SuppeA", "Suppe A, C". They
/// are raised in print, and the reading joins them to the name.
enum CodeTail {
    /// Names that must end in codes. Fewer may be names: "Menu A,B".
    private static let leastNames = 4
    private static let shortestName = 3
    /// Codes above are amounts.
    private static let mostNumber = 30
    private static let separators: Set<Character> = [",", ".", ";", "/"]

    /// True if names of the page end in codes.
    static func isUsual(in names: some Sequence<[Word]>) -> Bool {
        var count = 0
        for name in names where split(name) != nil {
            count += 1
            if count == leastNames { return true }
        }
        return false
    }

    /// The words of a name and its codes; nil for a name without codes.
    ///
    /// - Parameter isUsual: names of the page end in codes, so that one capital is a code: "Suppe A".
    static func split(_ words: [Word], isUsual: Bool = false) -> (words: [Word], codes: [PrintedCode])? {
        let tail = words.reversed().prefix { codes(in: $0.text) != nil }.reversed()
        guard tail.count < words.count else { return nil }
        let name = words.dropLast(tail.count)
        let found = tail.flatMap { word in (codes(in: word.text) ?? []).map { (code: $0, word: word) } }
        if let glued = glued(Array(name), found) { return glued }
        // "Suppe A,C,G", "Suppe A, C" and "Suppe A C", but not "Menu 1, 2" or "Menu 12".
        let hasLetter = found.contains { $0.code.first?.isLetter == true }
        let hasSeparator = tail.contains { $0.text.contains(where: separators.contains) }
        let areCodes = found.count >= (hasLetter ? 2 : 3) && (hasLetter || hasSeparator)
        return areCodes || isUsual && found.count == 1 && hasLetter ? (Array(name), found) : nil
    }

    /// Codes joined to the name. Those of the words after it follow: "SuppeA, C".
    private static func glued(
        _ words: [Word], _ more: [PrintedCode]
    ) -> (words: [Word], codes: [PrintedCode])? {
        guard let last = words.last, more.isEmpty || last.text.last.map(separators.contains) == true else { return nil }
        let text = Array(last.text)
        let first = text.firstIndex(where: separators.contains) ?? text.count
        for start in [first - 2, first - 1] where start >= shortestName {
            guard text[..<start].suffix(shortestName).allSatisfy(\.isLetter),
                let found = codes(in: String(text[start...]))
            else { continue }
            let count = found.count + more.count
            // "Menü1" is a name, "Suppe4,5" has a price. In "SUPPEA,C" only the list tells.
            let isCode =
                text[start].isNumber
                ? count >= 3 || found.contains { $0.first?.isLetter == true }
                : text[start - 1].isLowercase || count >= 2
            guard isCode else { continue }
            var word = last
            word.text = String(text[..<start])
            return (words.dropLast() + [word], found.map { (code: $0, word: last) } + more)
        }
        return nil
    }

    /// The codes of a text that has nothing else: single capitals, and numbers from 1 on.
    private static func codes(in text: String) -> [String]? {
        let parts = text.split(whereSeparator: separators.contains)
        let areCodes = parts.allSatisfy { part in
            part.count == 1 && part.first?.isUppercase == true
                || part.count <= 2 && part.first != "0" && (Int(part).map { $0 <= mostNumber } ?? false)
        }
        return !parts.isEmpty && areCodes && text.first.map(separators.contains) == false ? parts.map(String.init) : nil
    }
}
