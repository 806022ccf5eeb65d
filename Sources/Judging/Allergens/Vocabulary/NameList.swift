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

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            parent = try container.decodeIfPresent(String.self, forKey: .parent)
            kind = try container.decode(Kind.self, forKey: .kind)
            names = try container.decode([String: [String]].self, forKey: .names)
            allergens = try container.decode([String].self, forKey: .allergens).map { text in
                let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
                guard let allergen = parts.first.flatMap(Allergen.init(rawValue:)) else {
                    throw DataFileProblem(at: decoder, key: "allergens", "\(text) is no allergen")
                }
                return AllergenLexicon.Name(allergen: allergen, leaf: parts.count > 1 ? parts[1] : nil)
            }
        }
    }

    var version, source, licence: String
    var entries: [Entry]

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
