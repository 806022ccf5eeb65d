import Foundation
import Core

/// One language's words for allergens, and what turns, masks or hedges them: `models/lexicons/<language>.json`.
struct AllergenLexicon: Sendable, Codable {
    static let schema = "tablesight.lexicon/2"
    /// The lexicon of words that every language uses: mozzarella, tofu, E-numbers.
    static let everywhere = "mul"

    /// What kind of knowledge an entry is: a group's name, a food, a food that is made with it (soy sauce with wheat, unless a
    /// list of its own parts follows), or what a dish is usually made of.
    enum Kind: String, Sendable, Codable { case declaration, ingredient, composite, dish }

    /// Where inside a compound word the entry may stand; absent is nowhere.
    enum CompoundPosition: String, Sendable, Codable { case start, end, both, anywhere }

    /// Words that name one allergen.
    struct Entry: Sendable, Codable {
        var allergen: Allergen
        var leaf: String?
        var kind: Kind
        var compound: CompoundPosition?
        /// P(allergen | dish), for dishes.
        var probability: Double?
        var words: [String]
        /// Beginnings of words: "mlecz" stands for mleczny, mleczna, mleczko.
        var stems: [String]?
    }

    /// An allergen that a trap does name.
    struct Name: Sendable, Hashable, Codable {
        var allergen: Allergen
        var leaf: String?
    }

    /// Phrases that hide the words inside them: coconut milk is no milk, peanut butter is peanuts.
    struct Trap: Sendable, Codable {
        var words: [String]
        var names: [Name]
    }

    /// What a dish may be made with in an allergen's place: with oat milk, "steamed milk" means that one.
    struct Substitute: Sendable, Codable {
        var allergen: Allergen
        /// The substitutes' names.
        var words: [String]
        /// The words that they stand for.
        var replaced: [String]
    }

    /// A phrase that makes what follows a precaution; with `close` it is a split verb, "kann … enthalten".
    struct Precaution: Sendable, Codable {
        var open: String
        var close: String?
        /// True where the phrase may stand behind what it speaks of.
        var wholeSentence: Bool?
    }

    /// A phrase that denies the next word, or a whole list.
    struct Negation: Sendable, Codable {
        /// The next word, the list that follows, or everything in the sentence.
        enum Scope: String, Sendable, Codable { case word, list, sentence }
        var open: String
        var scope: Scope
    }

    /// A menu abbreviation that claims something everywhere, GF, GFO.
    struct ClaimCode: Sendable, Codable {
        var code: String
        var allergen: Allergen
        var polarity: AllergenFinding.Polarity
    }

    struct Headings: Sendable, Codable {
        var ingredients, legend, menu: [String]
        /// What follows an ingredient list and is about something else: storage, nutrition.
        var listEnd: [String]
        /// What follows an ingredient list and still speaks of allergens.
        var advice: [String]
    }

    var schema, version, language, source, licence: String
    /// True for a language of which only allergens are known: it raises warnings, and no silence rests on it.
    var isPartial: Bool?
    /// True where words are written together, so that entries are also searched inside longer words.
    var compounds: Bool
    /// Endings that a word of three letters or more may take.
    var inflections: [String]
    /// Letters that may join two parts of a compound.
    var joints: [String]?
    /// Frequent words of the language, by which it is told from others.
    var functionWords: [String]
    var conjunctions: [String]
    /// Conjunctions that carry a negation on: "without nuts or milk".
    var alternatives: [String]
    var headings: Headings
    var declaration: [String]
    var precaution: [Precaution]
    var negationBefore: [Negation]
    var negationAfter, negationSuffixes, negationAfterExceptions: [String]
    /// "bez-" of bezglutenowy.
    var negationPrefixes: [String]?
    var optionAfter, optionBefore: [String]
    var claimCodes: [ClaimCode]
    var dietCodes, sizes, units, additives: [String]
    var entries: [Entry]
    var traps: [Trap]
    var substitutes: [Substitute]?
    /// Words in front of a food that say that it is made without anything of animals.
    var veganWords: [String]?
    /// Foods that are none of the 14, so that an unknown word can be told from a harmless one.
    var neutral: [String]

    /// Loads every lexicon of the folder, by language.
    /// - Throws: `StartupError` that names file and entry.
    static func loadAll(from models: ModelFolder) throws -> [AllergenLexicon] {
        let names = try models.names(in: "lexicons", withExtension: "json")
        guard !names.isEmpty else {
            throw StartupError(.unavailable, "no lexicon in models/lexicons: restore the folder from the repository")
        }
        return try names.map { name in
            let lexicon = try models.load(AllergenLexicon.self, from: "lexicons/\(name)")
            try lexicon.validate(file: "lexicons/\(name)")
            return lexicon
        }
    }

    private func validate(file: String) throws {
        func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
            guard condition else { throw StartupError(.configuration, "\(file): \(message())") }
        }
        try check(schema == Self.schema, "schema is \(schema), expected \(Self.schema)")
        try check(file == "lexicons/\(language).json", "language is \(language): name the file after its language")
        try check(!version.isEmpty && !licence.isEmpty, "version and licence must be given")
        for (index, entry) in entries.enumerated() {
            let place = "entries[\(index)] (\(entry.allergen.rawValue))"
            try check(!entry.words.isEmpty || entry.stems?.isEmpty == false, "\(place) has no words")
            for word in entry.words { try check(!Folding.words(of: word).isEmpty, "\(place): empty word") }
            for stem in entry.stems ?? [] {
                try check(Folding.words(of: stem).first?.count ?? 0 >= 3, "\(place): stem \(stem) needs three letters")
            }
            if entry.kind == .dish {
                let probability = entry.probability ?? -1
                try check((0...0.95).contains(probability), "\(place): a dish needs a probability of 0…0.95")
            }
        }
        for (index, trap) in traps.enumerated() {
            try check(!trap.words.isEmpty, "traps[\(index)] has no words")
            for word in trap.words { try check(!Folding.words(of: word).isEmpty, "traps[\(index)]: empty word") }
        }
        for (index, substitute) in (substitutes ?? []).enumerated() {
            try check(
                !substitute.words.isEmpty && !substitute.replaced.isEmpty,
                "substitutes[\(index)]: words and replaced must be given")
        }
        for (index, phrase) in precaution.enumerated() {
            try check(!Folding.words(of: phrase.open).isEmpty, "precaution[\(index)]: open is empty")
            if let close = phrase.close {
                try check(Folding.words(of: close).count == 1, "precaution[\(index)]: close must be one word")
            }
        }
        for (index, phrase) in negationBefore.enumerated() {
            try check(!Folding.words(of: phrase.open).isEmpty, "negationBefore[\(index)]: open is empty")
        }
        guard language != Self.everywhere, isPartial != true else { return }
        try check(!headings.ingredients.isEmpty, "headings.ingredients is empty: no list could be found")
        for allergen in Allergen.eu14 {
            try check(
                entries.contains { $0.allergen == allergen && $0.kind != .dish }, "no word for \(allergen.rawValue)")
        }
    }
}
