import Core

/// Finds subjects by name in ten languages, by E-number and by INS number. A reference, because every list and every
/// finder holds it.
final class SubjectIndex: Sendable {
    /// A subject's position in the files, with what the rules need of it.
    struct Entry: Sendable, Hashable {
        var id: String
        var isAdditive: Bool
        /// Class numbers; empty if it counts as an additive everywhere.
        var onlyAfterClass: Set<Int>
        var classes: [String]
        var parents: [String]
        var isNonNutritiveSweetener: Bool
        /// The day on which a definition of it was last searched for in vain.
        var searched: String?
        /// How many names it has: of a group and of its part, the part has fewer.
        var nameCount: Int
        /// A short English name for the overview; nil for ingredients.
        var name: String?
    }

    static let languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "hu"]

    private struct Hit: Sendable {
        var entry: Int32
        /// One bit for each of `languages`.
        var languages: UInt16
    }

    let entries: [Entry]
    let classIDs: [String]
    let words: NameWords
    private let names: NameTable<[Hit]>
    private let pluralNames: NameTable<[Hit]>
    private let classNames: NameTable<Int>
    private let classTexts: [String: [String: String]]
    private let numbers: [String: Int]
    let near: NearNames

    init(_ file: SubjectsFile) {
        let classNumbers = Dictionary(
            file.classes.indices.map { (file.classes[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        classIDs = file.classes.map(\.id)
        var entries: [Entry] = []
        var vocabulary = NameWords()
        var names = NameTable<[Hit]>()
        var plural = NameTable<[Hit]>()
        var texts: Set<String> = []
        var numbers: [String: Int] = [:]
        for (subject, isAdditive) in file.additives.map({ ($0, true) }) + file.ingredients.map({ ($0, false) }) {
            let entry = entries.count
            entries.append(
                Entry(
                    id: subject.id, isAdditive: isAdditive,
                    onlyAfterClass: Set((subject.onlyAfterClass ?? []).compactMap { classNumbers[$0] }),
                    classes: subject.classes ?? [], parents: subject.parents ?? [],
                    isNonNutritiveSweetener: subject.isNonNutritiveSweetener == true, searched: subject.searched,
                    nameCount: subject.names.values.reduce(0) { $0 + $1.count },
                    name: isAdditive ? subject.names["en"]?.first : nil))
            if isAdditive {
                numbers[Self.plain(subject.id)] = entry
                if let ins = subject.ins, numbers["e" + Self.plain(ins)] == nil {
                    numbers["e" + Self.plain(ins)] = entry
                }
            }
            for (number, language) in Self.languages.enumerated() {
                for name in subject.names[language] ?? [] {
                    let words = Self.words(of: name)
                    guard !words.isEmpty else { continue }
                    texts.insert(words.joined(separator: " "))
                    Self.add(entry, number, words.map { vocabulary.add($0) }, to: &names)
                    Self.add(entry, number, words.map { vocabulary.add(Self.singular($0)) }, to: &plural)
                }
            }
        }
        self.entries = entries
        self.names = names
        self.numbers = numbers
        pluralNames = plural
        var classNames = NameTable<Int>()
        // Modified starch is an additive; only its name is one of a class too.
        for (number, one) in file.classes.enumerated() where one.id != "modified-starch" {
            for list in one.names.values {
                for name in list {
                    let words = Self.words(of: name)
                    guard !words.isEmpty else { continue }
                    for words in [words, words.map(Self.singular)] {
                        classNames.update(words.map { vocabulary.add($0) }) { $0 ?? number }
                    }
                }
            }
        }
        self.classNames = classNames
        classTexts = Dictionary(
            file.classes.map { one in (one.id, one.names.compactMapValues(\.first)) },
            uniquingKeysWith: { first, _ in first })
        near = NearNames(texts)
        words = vocabulary
    }

    private static func add(_ entry: Int, _ language: Int, _ name: [Int32], to table: inout NameTable<[Hit]>) {
        let bit = UInt16(1) << UInt16(language)
        table.update(name) { known in
            var hits = known ?? []
            if let place = hits.firstIndex(where: { $0.entry == Int32(entry) }) {
                hits[place].languages |= bit
            } else {
                hits.append(Hit(entry: Int32(entry), languages: bit))
            }
            return hits
        }
    }

    /// The words of a name without those that carry no meaning: "lécithine de soja" and "lécithine soja" are one name.
    static func words(of name: String) -> [String] {
        let words = Folding.words(of: name)
        let kept = words.filter { !IngredientWords.isFiller($0) }
        return kept.isEmpty ? words : kept
    }

    /// The word without a plural s, or with the singular ending of a salt: Italian "nitrati", Polish "azotany", Czech
    /// "dusitany", Dutch "nitraten". Short words, and words in ss, stay. Names and queries pass through it alike.
    static func singular(_ word: String) -> String {
        if word.utf8.count >= 6 {
            if word.hasSuffix("ati") || word.hasSuffix("iti") { return word.dropLast() + "o" }
            if word.hasSuffix("any") || word.hasSuffix("yny") { return String(word.dropLast()) }
            if word.hasSuffix("aten") || word.hasSuffix("ieten") {
                return word.dropLast(3) + String(word.dropLast(3).suffix(1)) + "t"
            }
        }
        guard word.utf8.count >= 5, word.hasSuffix("s"), !word.hasSuffix("ss") else { return word }
        return String(word.dropLast())
    }

    /// Letters and digits in lower case: `E322(i)` becomes `e322i`.
    static func plain(_ id: String) -> String {
        String(
            id.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
                .map(Character.init))
    }

    /// Subjects of this name. Names of the given language come first, then English, then any.
    func subjects(named words: some Collection<NameWord>, language: Int?) -> [Int] {
        let hits = names.value(of: words.lazy.map(\.number)) ?? pluralNames.value(of: words.lazy.map(\.singular))
        guard let hits else { return [] }
        let length = words.reduce(words.count - 1) { $0 + $1.text.utf8.count }
        return best(hits, language, length)
    }

    private func best(_ hits: [Hit], _ language: Int?, _ length: Int) -> [Int] {
        func those(_ number: Int) -> [Int] {
            hits.filter { $0.languages & (1 << UInt16(number)) != 0 }.map { Int($0.entry) }
        }
        let own = language.map(those) ?? []
        let named = own.isEmpty ? those(0) : own
        // A short word of another language is another word: Spanish "cal" is no French ingredient.
        let others = length >= 5 ? hits.map { Int($0.entry) } : []
        let all = named.isEmpty ? others : named
        // One additive, and the ingredients: a name of a group and of its part has the statements of both.
        let additive = all.first { entries[$0].isAdditive }
        return [additive].compactMap(\.self) + all.filter { !entries[$0].isAdditive }
    }

    /// The additive with this number, `e322i`; the group if the part is unknown.
    func additive(number: String) -> Int? {
        if let known = numbers[number] { return known }
        var shorter = number
        while let last = shorter.last, !last.isNumber {
            shorter.removeLast()
            if let known = numbers[shorter] { return known }
        }
        return nil
    }

    /// The functional class of this name.
    func additiveClass(named words: some Collection<NameWord>) -> Int? {
        guard !words.isEmpty, words.count <= 5 else { return nil }
        return classNames.value(of: words.lazy.map(\.number)) ?? classNames.value(of: words.lazy.map(\.singular))
    }

    func className(_ id: String, language: String) -> String? { classTexts[id]?[language] ?? classTexts[id]?["en"] }

    /// The number of a language in `languages`; nil for others.
    static func number(of language: String?) -> Int? {
        language.flatMap { languages.firstIndex(of: String($0.prefix(2)).lowercased()) }
    }
}
