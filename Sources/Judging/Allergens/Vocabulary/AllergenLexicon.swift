import Foundation
import Core

/// One language's allergen words and the words that negate, mask or qualify them: `models/lexicons/<language>.json`.
struct AllergenLexicon: Sendable, Codable, DataFile {
    static let schema = "tablesight.lexicon/2"
    /// The lexicon of words that all languages share: mozzarella, tofu, E-numbers.
    static let everywhere = "mul"

    /// The kind of an entry: an allergen group's name, a food, a composite food, or a dish. A composite usually
    /// contains the allergen unless its own ingredient list follows (soy sauce with wheat). A homograph is also an
    /// everyday word (French "lieu", "bar"), so it counts only on labels, where it is a whole ingredient.
    enum Kind: String, Sendable, Codable { case declaration, ingredient, composite, dish, homograph }

    /// The position of the entry inside a compound word; absent means none.
    enum CompoundPosition: String, Sendable, Codable { case start, end, both, anywhere }

    /// Words that name one allergen.
    struct Entry: Sendable, Codable {
        var allergen: Allergen
        var leaf: String?
        var kind: Kind
        var compound: CompoundPosition?
        /// P(allergen | dish); only for dishes.
        var probability: Double?
        var words: [String]
        /// True for an entry of a name list (`NameList`): it adds to what other words say and hides none of them.
        var isListed: Bool?
        /// Word stems: "mlecz" matches mleczny, mleczna, mleczko.
        var stems: [String]?
    }

    /// An allergen that a trap names nevertheless.
    struct Name: Sendable, Hashable, Codable {
        var allergen: Allergen
        var leaf: String?
    }

    /// Phrases that mask the words inside them: coconut milk is not milk, peanut butter means peanuts.
    struct Trap: Sendable, Codable {
        var words: [String]
        var names: [Name]
    }

    /// Replacements for an allergenic ingredient. After "with oat milk", "steamed milk" means the oat milk.
    struct Substitute: Sendable, Codable {
        var allergen: Allergen
        /// The names of the substitutes.
        var words: [String]
        /// The words that the substitutes replace.
        var replaced: [String]
    }

    /// A phrase that marks the following words as a precaution. `close` is the second part of a split verb, "kann …
    /// enthalten".
    struct Precaution: Sendable, Codable {
        var open: String
        var close: String?
        /// True if the phrase may also follow the words it qualifies.
        var wholeSentence: Bool?
    }

    /// A phrase that negates the next word or a whole list.
    struct Negation: Sendable, Codable {
        /// The range of a negation: the next word, the following list, or the whole sentence.
        enum Scope: String, Sendable, Codable { case word, list, sentence }
        var open: String
        var scope: Scope
    }

    /// A menu abbreviation with the same meaning everywhere, such as GF or GFO.
    struct ClaimCode: Sendable, Codable {
        var code: String
        var allergen: Allergen
        var polarity: AllergenFinding.Polarity
    }

    struct Headings: Sendable, Codable {
        var ingredients, legend, menu: [String]
        /// Headings that end an ingredient list and start another topic, such as storage or nutrition.
        var listEnd: [String]
        /// Headings that end an ingredient list and start a text about allergens.
        var advice: [String]
    }

    var version, language: String
    /// True for a language with allergen words only. It raises warnings but cannot carry absence claims.
    var isPartial: Bool?
    /// True if the language puts no blanks between words. Words are then found by the longest match.
    var isUnspaced: Bool?
    /// What a list of ingredients in this language must name by law: groups, or keys of a regime such as `walnut`.
    /// Absent means the 14 groups of EU law. Only these carry absence claims.
    var declares: [Allergen]?
    /// True if the language has closed compounds, so that entries are also searched inside longer words.
    var compounds: Bool
    /// Endings that a word of at least three letters may take.
    var inflections: [String]
    /// Linking elements between the parts of a compound.
    var joints: [String]?
    /// Frequent words that identify the language.
    var functionWords: [String]
    var conjunctions: [String]
    /// Conjunctions that extend a negation: "without nuts or milk".
    var alternatives: [String]
    /// Words that join another food: with, and, on. A denial does not reach across them.
    var additionWords: [String]?
    var headings: Headings
    var declaration: [String]
    var precaution: [Precaution]
    /// Warnings of raw food in general, from `open` to `close`: "consuming raw or undercooked shellfish or eggs may increase
    /// your risk of foodborne illness".
    var advisories: [Precaution]?
    var negationBefore: [Negation]
    var negationAfter, negationSuffixes, negationAfterExceptions: [String]
    /// Abbreviations that deny the name of an allergen behind them: "s/" of "s/gluten".
    var slashNegations: [String]?
    /// "bez-" of bezglutenowy.
    var negationPrefixes: [String]?
    /// Words that turn the denial or diet behind them off: "never without butter", "not vegan".
    var reversals: [String]?
    /// Words that begin another statement: "may contain nuts but contains milk".
    var contrasts: [String]?
    /// Places where food is made. A sentence about one, with a word of `handling`, is a precaution.
    var places, handling: [String]?
    /// Parts of words about allergies: "allerg", "intoleran". A question with one names no ingredient.
    var allergyStems: [String]?
    /// Beginnings of words that recommend a food: "suitable for people with milk allergy".
    var suitableStems: [String]?
    var optionAfter, optionBefore: [String]
    var claimCodes: [ClaimCode]
    var dietCodes, sizes, units, additives: [String]
    var entries: [Entry]
    var traps: [Trap]
    var substitutes: [Substitute]?
    /// Words before a food that mark it as free of animal products.
    var veganWords: [String]?
    /// Stems of words for a part of an allergen. Without lactose is not without milk.
    var partStems: [String]?
    /// Stems of the cereals with gluten. A dish that names one keeps its warning beside a GF code.
    var grainStems: [String]?
    /// Foods without any of the 14 allergens. They distinguish harmless words from unknown ones.
    var neutral: [String]

    /// Loads all lexicons of the folder, sorted by language.
    /// - Throws: `StartupError` with the file and the entry.
    static func loadAll(from models: ModelFolder) throws -> [AllergenLexicon] {
        let lexicons = try models.loadAll(AllergenLexicon.self, in: "lexicons")
        guard !lexicons.isEmpty else {
            throw StartupError(.unavailable, "no lexicon in models/lexicons: restore the folder from the repository")
        }
        return lexicons
    }

    func validate(name: String) throws(DataFileProblem) {
        func check(_ condition: Bool, _ key: String, _ detail: String) throws(DataFileProblem) {
            guard condition else { throw DataFileProblem(key, detail) }
        }
        try check(language == name, "language", "\(language) differs from the file's name")
        for (index, entry) in entries.enumerated() {
            let place = "entries[\(index)] (\(entry.allergen.rawValue))"
            try check(!entry.words.isEmpty || entry.stems?.isEmpty == false, place, "no words")
            for word in entry.words { try check(!Folding.words(of: word).isEmpty, place, "empty word") }
            for stem in entry.stems ?? [] {
                try check(Folding.words(of: stem).first?.count ?? 0 >= 3, place, "stem \(stem) needs three letters")
            }
            try check(
                entry.kind != .dish || (0...0.95).contains(entry.probability ?? -1), place,
                "a dish needs a probability of 0…0.95")
        }
        for (index, trap) in traps.enumerated() {
            try check(!trap.words.isEmpty, "traps[\(index)]", "no words")
            for word in trap.words { try check(!Folding.words(of: word).isEmpty, "traps[\(index)]", "empty word") }
        }
        for (index, substitute) in (substitutes ?? []).enumerated() {
            try check(
                !substitute.words.isEmpty && !substitute.replaced.isEmpty, "substitutes[\(index)]",
                "give words and replaced")
        }
        for (key, phrases) in [("precaution", precaution), ("advisories", advisories ?? [])] {
            for (index, phrase) in phrases.enumerated() {
                try check(!Folding.words(of: phrase.open).isEmpty, "\(key)[\(index)].open", "empty")
                try check(
                    phrase.close.map { Folding.words(of: $0).count == 1 } ?? (key == "precaution"),
                    "\(key)[\(index)].close", "give one word")
            }
        }
        for (index, phrase) in negationBefore.enumerated() {
            try check(!Folding.words(of: phrase.open).isEmpty, "negationBefore[\(index)].open", "empty")
        }
        guard language != Self.everywhere, isPartial != true else { return }
        try check(!headings.ingredients.isEmpty, "headings.ingredients", "empty: no list could be found")
        for allergen in Allergen.eu14 {
            try check(
                entries.contains { $0.allergen == allergen && $0.kind != .dish }, "entries",
                "no word for \(allergen.rawValue)")
        }
    }
}
