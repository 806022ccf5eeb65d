import Core

/// Names of foods from one source: a file of `models/vocabulary`. The compiled vocabulary adds them to the lexicons.
struct NameList: Sendable, Codable, DataFile {
    static let schema = "tablesight.names/1"

    /// What a name says.
    enum Kind: String, Sendable, Codable {
        /// By definition it is or contains the allergens.
        case food
        /// A made food that usually contains them, unless its own ingredients follow.
        case composite
        /// A food's name that is also an everyday word or a place: French "lieu" (pollock), "bar" (bass).
        case homograph
        /// It looks like an allergen's name, and is only what its allergens say.
        case trap
    }

    /// The names of one food.
    struct Entry: Sendable, Codable {
        /// The entry of the source: `off-i:en:soya-lecithin`, `own`.
        var id: String
        /// The entry of the source from which it inherits its allergens; nil for its own.
        var parent: String?
        /// `milk` or `milk/cheese`; empty only for a trap.
        var allergens: [AllergenLexicon.Name]
        var kind: Kind
        /// Names by language, as in the lexicons; `mul` is for all languages.
        var names: [String: [String]]

        private enum CodingKeys: String, CodingKey { case id, parent, allergens, kind, names }

        init(id: String, allergens: [AllergenLexicon.Name], kind: Kind, names: [String: [String]]) {
            (self.id, self.allergens, self.kind, self.names) = (id, allergens, kind, names)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            parent = try container.decodeIfPresent(String.self, forKey: .parent)
            kind = try container.decode(Kind.self, forKey: .kind)
            names = try container.decode([String: [String]].self, forKey: .names)
            allergens = try container.decode([String].self, forKey: .allergens).map {
                try AllergenLexicon.Name($0, decoder)
            }
        }
    }

    /// Foods whose name says what they are made of: "coconut milk" is no milk, and "Hafermilch" is oats.
    struct Combination: Sendable, Codable {
        /// Names that are an origin's.
        struct Origin: Sendable, Codable {
            var allergens: [String]
            var names: [String]
        }

        var language: String
        /// What may be made of other plants too, by the allergen that it names alone: `milk` has "milk" and "drink".
        var heads: [String: [String]]
        var origins: [Origin]
        /// With `{head}` and `{origin}`: "{origin} {head}", "{head} of {origin}".
        var patterns: [String]
    }

    var version, source, licence: String
    var entries: [Entry]
    var combinations: [Combination]?

    private enum CodingKeys: String, CodingKey { case version, source, licence, entries, combinations }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(String.self, forKey: .version)
        source = try container.decode(String.self, forKey: .source)
        licence = try container.decode(String.self, forKey: .licence)
        combinations = try container.decodeIfPresent([Combination].self, forKey: .combinations)
        entries = try container.decode([Entry].self, forKey: .entries)
        for combination in combinations ?? [] { entries += try combination.entries(decoder) }
    }

    func validate(name: String) throws(DataFileProblem) {
        for (index, entry) in entries.enumerated() {
            let place = "entries[\(index)] (\(entry.id))"
            try DataFileProblem.check(entry.kind == .trap || !entry.allergens.isEmpty, place, "no allergen")
            for names in entry.names.values {
                for name in names {
                    try DataFileProblem.check(
                        (1...80).contains(name.unicodeScalars.count) && !Folding.words(of: name).isEmpty, place,
                        "\(name): give a name of 1 to 80 characters")
                }
            }
        }
    }
}

extension AllergenLexicon.Name {
    /// - Parameter text: `milk` or `milk/cheese`.
    fileprivate init(_ text: String, _ decoder: any Decoder) throws {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard let allergen = parts.first.flatMap(Allergen.init(rawValue:)) else {
            throw DataFileProblem(at: decoder, key: "allergens", "\(text) is no allergen")
        }
        self.init(allergen: allergen, leaf: parts.count > 1 ? parts[1] : nil)
    }
}

extension NameList.Combination {
    /// Each pattern with each head and origin, as traps that name what the origin names.
    fileprivate func entries(_ decoder: any Decoder) throws -> [NameList.Entry] {
        let words = heads.sorted { $0.key < $1.key }.flatMap(\.value)
        return try origins.map { origin in
            let names = words.flatMap { head in
                origin.names.flatMap { name in
                    patterns.map { $0.replacing("{head}", with: head).replacing("{origin}", with: name) }
                }
            }
            return NameList.Entry(
                id: "combined", allergens: try origin.allergens.map { try AllergenLexicon.Name($0, decoder) },
                kind: .trap, names: [language: names])
        }
    }
}
