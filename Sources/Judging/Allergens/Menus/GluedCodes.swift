import Core
import Documents

/// Raised codes that the reading joined to a word of the name, where text follows on the line: "Pizza Sucuk234a9 mit Ei".
///
/// Such a word alone may be a name or a size: "Menü1", "Fanta0,5l". Codes are usual on a page if several words end in long ones.
enum GluedCodes {
    /// Names with codes that make them usual on the page.
    private static let leastNames = 4
    /// Codes of a word that is surely no name.
    private static let surelyCodes = 3
    private static let shortestName = 3
    /// A number above is several codes without separators: "234".
    private static let mostNumber = 30
    private static let separators: Set<Character> = [",", ".", ";", "/", "(", ")", "[", "]"]

    /// A name before its codes, and what follows on its line.
    struct Name {
        var words: [Word]
        var codes: [PrintedCode]
        var rest: [Word]
    }

    /// True if names of the page hold codes that the reading joined to their words.
    static func areUsual(in names: some Sequence<[Word]>) -> Bool {
        names.lazy.filter { name in name.contains { (tail(of: $0.text)?.codes.count ?? 0) >= surelyCodes } }
            .prefix(leastNames).count == leastNames
    }

    /// - Parameter words: of a name, on a page whose names hold codes.
    /// - Returns: nil for a name without codes.
    static func split(_ words: [Word]) -> Name? {
        for (place, word) in words.enumerated() {
            guard let tail = tail(of: word.text) ?? (place > 0 ? list(word.text) : nil) else { continue }
            var name = words.prefix(place) + [word]
            name[place].text = tail.name
            if tail.name.isEmpty { name.removeLast() }
            guard name.contains(where: { $0.text.count(where: \.isLetter) >= shortestName }) else { continue }
            var rest = words.dropFirst(place + 1)
            if !tail.rest.isEmpty {
                var first = word
                first.text = tail.rest
                rest = [first] + rest
            }
            return Name(words: Array(name), codes: tail.codes.map { ($0, word) }, rest: Array(rest))
        }
        return nil
    }

    private typealias Tail = (name: String, codes: [String], rest: String)

    /// A word that holds nothing but several codes: "1,2,48".
    private static func list(_ text: String) -> Tail? {
        guard text.contains(where: { $0.isNumber || separators.contains($0) }), let tail = codes(of: text),
            tail.codes.count >= surelyCodes, tail.rest.isEmpty
        else { return nil }
        return ("", tail.codes, "")
    }

    /// Letters, then codes from a digit or a capital on, then perhaps the next word: "Sucuk234a", "Box1,3,8,amit",
    /// "FunghiAC,G".
    private static func tail(of text: String) -> Tail? {
        let starts = zip(text.indices, text.indices.dropFirst()).filter { before, place in
            text[place].isNumber ? text[before].isLetter : text[place].isUppercase && text[before].isLowercase
        }.map(\.1)
        for start in starts where text[start] != "0" {
            guard text[..<start].suffix(shortestName).count(where: \.isLetter) == shortestName,
                let tail = codes(of: text[start...]), text[start].isNumber || tail.codes.count >= leastCapitals
            else { continue }
            return (String(text[..<start]), tail.codes, tail.rest)
        }
        return nil
    }

    /// One capital at the end of a word may be misread.
    private static let leastCapitals = 2
    /// Capitals in a row are codes without separators; more are a word.
    private static let mostCapitals = 4

    /// The codes at the start of a text and the word joined to them; nil for an amount or a measure.
    private static func codes(of text: some StringProtocol) -> (codes: [String], rest: String)? {
        var parts: [String] = []
        var isNew = true
        var end = text.startIndex
        while end < text.endIndex {
            let sign = text[end]
            if separators.contains(sign) {
                isNew = true
            } else if sign.isNumber {
                if isNew || parts.last?.last?.isNumber != true { parts.append("") }
                parts[parts.count - 1].append(sign)
                isNew = false
            } else if isCode(text[end...].prefix(while: \.isLetter)) {
                parts += text[end...].prefix(while: \.isLetter).map(String.init)
                isNew = true
                end = text[end...].prefix(while: \.isLetter).endIndex
                continue
            } else {
                break
            }
            end = text.index(after: end)
        }
        let rest = text[end...]
        guard rest.isEmpty || rest.prefix(shortestName).allSatisfy(\.isLetter) else { return nil }
        // "0,5l" is a size, "4,50" an amount.
        let isAmount = parts.count == 2 && parts.allSatisfy { Int($0) != nil } && parts[1].count == 2
        guard !isAmount, !parts.contains(where: { $0.first == "0" }) else { return nil }
        return (parts.flatMap(single), String(rest))
    }

    /// True for letters that are codes in a row.
    private static func isCode(_ letters: some StringProtocol) -> Bool {
        !letters.isEmpty
            && (letters.count < shortestName || letters.count <= mostCapitals && letters.allSatisfy(\.isUppercase))
    }

    /// The codes of a run of digits: "12" is one, "234" are three if they rise.
    private static func single(_ part: String) -> [String] {
        guard let number = Int(part), number > mostNumber else { return [part] }
        let rises = zip(part, part.dropFirst()).allSatisfy { $0 < $1 }
        return rises ? part.map(String.init) : [part]
    }
}
