import Core

/// Why words name an allergen, for people who review the vocabulary.
public struct WordExplanation: Sendable, Hashable, Codable {
    /// `milk` or `milk/cheese`.
    public var allergen: String
    /// BCP 47, or `mul` for a word of all languages.
    public var language: String
    /// The words as they were found, folded, and how: `lexicon`, `stem`, `compound`, `trap`, `joined` and so on.
    public var words, method: String
    /// The words that they are a form of; empty if they are listed as they are.
    public var forms: [String]
    /// The files that say so, each with the entry and its parent.
    public var sources: [String]
    /// Exemptions of laws from declaring the allergen in some derivatives: law, key and clause.
    public var exemptions: [String]
}

extension AllergenInterpreter {
    /// The meanings of words, each with its sources.
    /// - Parameter language: BCP 47; nil if unknown.
    public func explanations(
        of words: String, language: String?, sources: VocabularySources
    ) -> [WordExplanation] {
        let index = detector.lexiconIndex
        let text = TextAnalysis(RecognizedText(words), language: index.number(of: language), lexiconIndex: index)
        var result: [WordExplanation] = []
        for mention in MentionFinder(text: text).mentions() {
            let phrase = text.tokens[mention.tokens].map(\.text)
            let forms = mention.tokens.count == 1 ? index.bases(of: text.tokens[mention.tokens.lowerBound]) : []
            let bases = Set(forms.map { index.trie.text($0.id) }).sorted()
            let parts = mention.lexeme.split(separator: "+").map { [String($0)] }
            for meaning in mention.meanings {
                let name = AllergenLexicon.Name(allergen: meaning.allergen, leaf: meaning.leaf)
                let found = WordExplanation(
                    allergen: [name.allergen.rawValue, name.leaf].compactMap(\.self).joined(separator: "/"),
                    language: index.lexicons[mention.lexicon].language, words: phrase.joined(separator: " "),
                    method: mention.method.rawValue, forms: bases,
                    sources: sources.sources(of: [phrase] + bases.map { [$0] } + parts, naming: name),
                    exemptions: exemptions(of: meaning.allergen))
                if !result.contains(found) { result.append(found) }
            }
        }
        return result
    }

    private func exemptions(of allergen: Allergen) -> [String] {
        let laws = Dictionary(rules.regimes.values.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return laws.sorted { $0.key < $1.key }.flatMap { name, regime in
            regime.exemptions.filter { $0.allergen == allergen }.map { "\(name): \($0.key) (\($0.source))" }
        }
    }
}

extension VocabularySources {
    /// The entries of lexicons and lists that say that a phrase names an allergen.
    fileprivate func sources(of phrases: [[String]], naming name: AllergenLexicon.Name) -> [String] {
        func isSaid(_ words: [String]) -> Bool {
            words.contains { word in Folding.spellings(of: word).contains { phrases.contains($0) } }
        }
        let own = lexicons.flatMap { lexicon in
            lexicon.entries.filter { $0.allergen == name.allergen && $0.leaf == name.leaf && isSaid($0.words) }.map {
                "lexicons/\(lexicon.language).json: \($0.kind.rawValue)"
            }
                + lexicon.traps.filter { $0.names.contains(name) && isSaid($0.words) }.map { _ in
                    "lexicons/\(lexicon.language).json: trap"
                }
        }
        let listed = lists.flatMap { file, list in
            list.entries.filter { $0.allergens.contains(name) && $0.names.values.contains(where: isSaid) }.map {
                entry in
                let parent = entry.parent.map { ", from \($0)" } ?? ""
                return "vocabulary/\(file).json: \(entry.id)\(parent), \(entry.kind.rawValue) (\(list.licence))"
            }
        }
        return Array(Set(own + listed)).sorted()
    }
}
