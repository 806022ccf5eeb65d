import Core

/// Compiles lexicons and name lists to a `Vocabulary`.
struct VocabularyBuilder {
    /// A phrase that would hide an allergen if it counted: a neutral phrase around an allergen's word, or a trap of a list
    /// that a lexicon's entry contradicts. It is left out, so that nothing is hidden.
    struct Conflict: Hashable {
        var language, phrase, reason: String
    }

    /// A name of a list, and an allergen that it names.
    struct KeptName: Hashable {
        var language, name: String
        var allergen: Allergen
    }

    private let kept: Set<KeptName>
    private let sources: [AllergenLexicon]
    private var lexicons: [AllergenLexicon]
    private var builder = PhraseTrieBuilder()
    /// Folded, the shortest first, by lexicon.
    private let endings: [[String]]
    private(set) var conflicts: [Conflict] = []

    /// - Parameters:
    ///   - lexicons: with their words, sorted by language.
    ///   - lists: names from other sources, added to the lexicons of their languages.
    ///   - kept: names that stay although a part seems to say all (`isSaid`).
    init(_ lexicons: [AllergenLexicon], lists: [NameList] = [], kept: Set<KeptName> = []) {
        self.kept = kept
        sources = lexicons
        self.lexicons = lexicons
        endings = lexicons.map { $0.inflections.map(Folding.fold).sorted { $0.utf8.count < $1.utf8.count } }
        for (number, lexicon) in lexicons.enumerated() { add(lexicon, UInt8(number)) }
        // A homograph that is a form of another name needs no entry.
        for isHomograph in [false, true] { for list in lists { add(list, homographs: isHomograph) } }
    }

    private mutating func add(_ lexicon: AllergenLexicon, _ number: UInt8) {
        func add(_ phrases: [String], _ role: Lexeme.Role) {
            for (index, phrase) in phrases.enumerated() {
                builder.add(phrase, Lexeme(lexicon: number, role: role, index: Int32(index)))
            }
        }
        for (index, entry) in lexicon.entries.enumerated() {
            for word in entry.words { builder.add(word, Lexeme(lexicon: number, role: .entry, index: Int32(index))) }
        }
        for (index, trap) in lexicon.traps.enumerated() {
            for word in trap.words { builder.add(word, Lexeme(lexicon: number, role: .trap, index: Int32(index))) }
        }
        for phrase in lexicon.neutral { builder.add(phrase, Lexeme(lexicon: number, role: .neutral, index: 0)) }
        add(lexicon.functionWords, .function)
        add(lexicon.conjunctions, .conjunction)
        add(lexicon.alternatives, .alternative)
        add(lexicon.additionWords ?? [], .addition)
        add(lexicon.headings.ingredients, .ingredientHeading)
        add(lexicon.headings.legend, .legendHeading)
        add(lexicon.headings.listEnd, .listEnd)
        add(lexicon.headings.advice, .advice)
        add(lexicon.headings.menu, .menuHeading)
        add(lexicon.declaration, .declaration)
        add(lexicon.precaution.map(\.open), .precaution)
        add((lexicon.advisories ?? []).map(\.open), .advisory)
        add(lexicon.negationBefore.map(\.open), .negation)
        add(lexicon.negationAfter, .negationAfter)
        add(lexicon.negationAfterExceptions, .negationAfterException)
        add(lexicon.reversals ?? [], .reversal)
        add(lexicon.contrasts ?? [], .contrast)
        add(lexicon.places ?? [], .place)
        add(lexicon.handling ?? [], .handling)
        add(lexicon.optionBefore, .optionBefore)
        add(lexicon.optionAfter, .optionAfter)
        add(lexicon.additives, .additive)
        add(lexicon.sizes, .size)
        add(lexicon.units, .unit)
    }

    // MARK: Name lists

    /// What one entry of a lexicon says; names with the same meaning share it.
    private struct Meaning: Hashable {
        var language: Int
        var name: AllergenLexicon.Name?
        var kind: AllergenLexicon.Kind
        var compound: AllergenLexicon.CompoundPosition?
    }

    /// Adds traps first, and short names before the long ones that they make superfluous.
    private mutating func add(_ list: NameList, homographs: Bool) {
        var entries: [Meaning: Int] = [:]
        var traps: [[AllergenLexicon.Name]: [Int: Int]] = [:]
        var names: [(phrase: String, lexicon: Int, row: NameList.Entry)] = []
        for row in list.entries where (row.kind == .homograph) == homographs {
            for (language, own) in row.names.sorted(by: { $0.key < $1.key }) {
                guard let number = sources.firstIndex(where: { $0.language == language }) else { continue }
                for phrase in own.flatMap({ spellings(of: $0, in: sources[number]) }) {
                    if row.kind == .trap {
                        addTrap(phrase, number, row.allergens, &traps)
                    } else {
                        names.append((phrase, number, row))
                    }
                }
            }
        }
        for (phrase, number, row) in names.sorted(by: { Self.order($0.phrase, $1.phrase) }) {
            let language = sources[number].language
            for allergen in row.allergens
            where kept.contains(KeptName(language: language, name: phrase, allergen: allergen.allergen))
                || !isSaid(allergen, by: phrase, number)
            {
                addName(phrase, number, allergen, row.kind, &entries)
            }
        }
    }

    private static func order(_ left: String, _ right: String) -> Bool {
        let count = { (phrase: String) in phrase.unicodeScalars.count { !Folding.isWordPart($0) } }
        return (count(left), left.utf8.count, left) < (count(right), right.utf8.count, right)
    }

    /// True if a part of the phrase names the allergen already, and no trap hides it: "Atlantic cod" beside "cod", "cods"
    /// beside its base.
    private func isSaid(_ allergen: AllergenLexicon.Name, by phrase: String, _ number: Int) -> Bool {
        let everywhere = sources.firstIndex { $0.language == AllergenLexicon.everywhere }
        return Folding.spellings(of: phrase).allSatisfy { words in
            var isNamed = false
            for start in words.indices {
                for end in (start + 1)...words.count {
                    let part = Array(words[start..<end])
                    var lexemes = builder.lexemes(of: part)
                    if part.count == 1, let base = base(of: part[0], number) { lexemes += builder.lexemes(of: [base]) }
                    // In "crema senza lattosio" a denial takes "lattosio" back, and "nem au crabe" looks like one.
                    if lexemes.contains(where: { [.negation, .negationAfter].contains($0.role) }) { return false }
                    for lexeme in lexemes where [number, everywhere].contains(Int(lexeme.lexicon)) {
                        // In "crema senza lattosio" a denial takes "lattosio" back.
                        if lexeme.role == .trap { return false }
                        guard lexeme.role == .entry, part.count < words.count || words.count == 1 else { continue }
                        let entry = lexicons[Int(lexeme.lexicon)].entries[Int(lexeme.index)]
                        isNamed =
                            isNamed
                            || entry.kind != .dish && entry.allergen == allergen.allergen
                                && (allergen.leaf == nil || entry.leaf == allergen.leaf)
                    }
                }
            }
            return isNamed
        }
    }

    /// The word of the lexicon that the word is a form of; nil without one.
    private func base(of word: String, _ number: Int) -> String? {
        for ending in endings[number] where word.utf8.count - ending.utf8.count >= 4 && word.hasSuffix(ending) {
            let stem = String(word.dropLast(ending.count))
            if stem.utf8.count > ending.utf8.count, builder.has(stem, lexicon: number) { return stem }
        }
        return nil
    }

    /// The name, and as one word where the language has closed compounds and print often leaves the blank out.
    private func spellings(of name: String, in lexicon: AllergenLexicon) -> [String] {
        let parts = name.split(separator: " ")
        return lexicon.compounds && parts.count == 2 ? [name, parts.joined()] : [name]
    }

    private mutating func addName(
        _ phrase: String, _ number: Int, _ allergen: AllergenLexicon.Name, _ kind: NameList.Kind,
        _ entries: inout [Meaning: Int]
    ) {
        let isPart =
            kind != .homograph && sources[number].compounds && !phrase.contains(" ")
            && phrase.count >= Self.shortestPart
        let meaning = Meaning(
            language: number, name: allergen, kind: kind.meaning, compound: isPart ? .both : nil)
        let index = entries[meaning] ?? lexicons[number].entries.count
        if entries[meaning] == nil {
            entries[meaning] = index
            lexicons[number].entries.append(
                AllergenLexicon.Entry(
                    allergen: allergen.allergen, leaf: allergen.leaf, kind: meaning.kind, compound: meaning.compound,
                    words: [], isListed: true))
        }
        lexicons[number].entries[index].words.append(phrase)
        let role: Lexeme.Role = kind == .homograph ? .homograph : .entry
        builder.add(phrase, Lexeme(lexicon: UInt8(number), role: role, index: Int32(index)))
    }

    /// The shortest name of a list that is looked for inside compounds.
    private static let shortestPart = 6

    private mutating func addTrap(
        _ phrase: String, _ number: Int, _ names: [AllergenLexicon.Name],
        _ traps: inout [[AllergenLexicon.Name]: [Int: Int]]
    ) {
        let named = Set(names.map(\.allergen))
        let lost = Folding.spellings(of: phrase).flatMap { words in
            builder.lexemes(of: words).filter { $0.role == .entry && $0.lexicon == UInt8(number) }
        }.filter { lexeme in
            let entry = lexicons[number].entries[Int(lexeme.index)]
            return entry.kind != .dish && !named.contains(entry.allergen)
        }
        guard lost.isEmpty else {
            conflicts.append(
                Conflict(
                    language: sources[number].language, phrase: phrase,
                    reason: "a trap of a list, and an entry of \(lexicons[number].entries[Int(lost[0].index)].allergen)"
                ))
            return
        }
        let index = traps[names]?[number] ?? lexicons[number].traps.count
        if traps[names]?[number] == nil {
            traps[names, default: [:]][number] = index
            lexicons[number].traps.append(AllergenLexicon.Trap(words: [], names: names))
        }
        lexicons[number].traps[index].words.append(phrase)
        builder.add(phrase, Lexeme(lexicon: UInt8(number), role: .trap, index: Int32(index)))
    }

    /// The names whose allergens the compiled vocabulary does not find, in a text that is nothing but the name.
    static func lost(_ lists: [NameList], in index: LexiconIndex) -> Set<KeptName> {
        var lost: Set<KeptName> = []
        for row in lists.lazy.flatMap(\.entries) where row.kind != .trap && row.kind != .homograph {
            for (language, names) in row.names {
                for name in names {
                    let text = TextAnalysis(
                        RecognizedText(name), language: index.number(of: language), lexiconIndex: index)
                    let found = Set(
                        MentionFinder(text: text).mentions().flatMap(\.meanings).filter { $0.kind != .dish }.map(
                            \.allergen))
                    for allergen in row.allergens where !found.contains(allergen.allergen) {
                        lost.insert(KeptName(language: language, name: name, allergen: allergen.allergen))
                    }
                }
            }
        }
        return lost
    }

    // MARK: Tables

    func vocabulary() -> Vocabulary {
        let trie = builder.frozen()
        let endings = WordEndings(sources)
        var (starts, bases): ([UInt32], [WordBase]) = ([0], [])
        for id in 0..<Int32(trie.count) {
            let word = trie.bytes(id)
            for number in endings.lexicons {
                guard let base = endings.base(of: word, in: number, trie) else { continue }
                bases.append(WordBase(lexicon: UInt8(number), id: base))
            }
            starts.append(UInt32(bases.count))
        }
        var masks = allergens(trie)
        for id in masks.indices {
            for base in bases[Int(starts[id])..<Int(starts[id + 1])] { masks[id] |= masks[Int(base.id)] }
        }
        let (accented, plain) = accents(trie)
        return Vocabulary(
            lexicons: lexicons.map(\.withoutWords), trie: trie, accented: accented, plain: plain,
            allergens: masks, baseStarts: starts, allBases: bases)
    }

    private func accents(_ trie: PhraseTrie) -> (accented: [UInt32], plain: [UInt32]) {
        var accented = [UInt32](repeating: 0, count: trie.count)
        var plain = accented
        for (number, lexicon) in lexicons.enumerated() {
            for word in lexicon.entries.flatMap(\.words) {
                let folded = Folding.words(of: word)
                // "œuf" has no accent that print could leave out.
                guard folded.count == 1, folded[0].unicodeScalars.count == word.unicodeScalars.count,
                    let id = trie.id(of: folded[0]).map(Int.init)
                else { continue }
                if word.utf8.allSatisfy({ $0 < 0x80 }) {
                    plain[id] |= 1 << UInt32(number)
                } else {
                    accented[id] |= 1 << UInt32(number)
                }
            }
        }
        return (accented, plain)
    }

    /// Allergens that a word names alone, or in a phrase with otherwise harmless words. A list's phrase adds its longest
    /// word only if no word of it is suspect already: "Atlantic halibut" is known by "halibut".
    private func allergens(_ trie: PhraseTrie) -> [UInt64] {
        var masks = [UInt64](repeating: 0, count: trie.count)
        func isTelling(_ word: String) -> Bool {
            !trie.single(word).contains { $0.role == .neutral || $0.role == .function }
        }
        func add(_ word: String, _ allergen: Allergen) {
            if let id = trie.id(of: word) { masks[Int(id)] |= allergen.bit }
        }
        for (source, lexicon) in zip(sources, lexicons) {
            for (index, entry) in lexicon.entries.enumerated() where ![.dish, .homograph].contains(entry.kind) {
                for words in entry.words.flatMap(Folding.spellings)
                where words.count == 1 || index < source.entries.count {
                    for word in words.count == 1 ? words : words.filter(isTelling) { add(word, entry.allergen) }
                }
            }
        }
        for (source, lexicon) in zip(sources, lexicons) {
            for entry in lexicon.entries.dropFirst(source.entries.count) where entry.kind != .homograph {
                for words in entry.words.flatMap(Folding.spellings) where words.count > 1 {
                    let isSuspect = words.contains { word in
                        trie.id(of: word).map { masks[Int($0)] & entry.allergen.bit != 0 } ?? false
                    }
                    guard !isSuspect, let longest = words.filter(isTelling).max(by: { $0.utf8.count < $1.utf8.count })
                    else { continue }
                    if longest.utf8.count >= Self.shortestPart { add(longest, entry.allergen) }
                }
            }
        }
        return masks
    }
}

extension NameList.Kind {
    fileprivate var meaning: AllergenLexicon.Kind {
        switch self {
        case .food, .trap: .ingredient
        case .composite: .composite
        case .homograph: .homograph
        }
    }
}

extension AllergenLexicon {
    /// The grammar and the meanings, for the compiled file; the trie has the words.
    fileprivate var withoutWords: AllergenLexicon {
        var lexicon = self
        for index in lexicon.entries.indices { lexicon.entries[index].words = [] }
        for index in lexicon.traps.indices { lexicon.traps[index].words = [] }
        lexicon.neutral = []
        return lexicon
    }
}
