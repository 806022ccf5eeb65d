/// Small closed word lists of ingredient lists, folded as `Folding` folds.
enum IngredientWords {
    /// Articles and prepositions inside a name.
    private static let fillers: Set<String> = [
        "de", "d", "du", "des", "l", "la", "le", "les", "of", "the", "di", "del", "della", "dei", "delle", "degli",
        "dell", "da", "do", "dos", "das", "van", "von", "aus", "der", "die", "el", "los", "las", "z", "ze",
    ]
    private static let conjunctions: Set<String> = ["and", "und", "et", "y", "oraz", "es"]
    /// Conjunctions that are other words elsewhere: the roman numeral i, vitamin a, French en.
    private static let conjunctionsOfLanguages: [String: Set<String>] = [
        "it": ["e", "ed"], "pt": ["e"], "es": ["e", "y"], "nl": ["en"], "pl": ["i"], "cs": ["a", "i"],
    ]
    /// Words before or after a name that do not change which substance it is.
    private static let qualifiers: Set<String> = [
        "organic", "bio", "natural", "pure", "raw", "refined", "unrefined", "fresh", "dried", "dehydrated", "powdered",
        "ground", "whole", "fine", "granulated", "evaporated", "iodised", "iodized", "unsalted", "salted",
        "pasteurized",
        "pasteurised", "skimmed", "skim", "nonfat", "lowfat", "defatted", "enriched", "bleached", "unbleached",
        "cultured",
        "roasted", "toasted", "coarse", "extra", "special", "certified", "filtered", "spring", "purified", "real",
        "biologique", "naturel", "naturelle", "pur", "pure", "raffine", "frais", "fraiche", "seche", "poudre", "entier",
        "fin", "iode", "complet", "complete", "biologico", "naturale", "fresco", "intero", "naturlich", "naturliche",
        "getrocknet", "getrocknete", "frisch", "frische", "gemahlen", "jodiert", "jodiertes", "ecologico", "entero",
        "ekologiczny", "naturalny", "suszony", "susene", "prirodni", "termeszetes", "contains", "contain", "with", "en",
        "min", "minimum", "max", "total", "less", "than", "or", "a", "an", "as", "for", "added", "g", "mg", "kg", "ml",
        "also", "preparation", "including", "includes", "from", "anhydrous", "anhydre",
    ]
    private static let romanNumerals: Set<String> = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"]
    /// Languages whose head noun comes first: qualifiers follow.
    private static let headFirst: Set<String> = ["fr", "es", "it", "pt", "pl"]
    /// Words that open a list of nutrients.
    private static let nutrients = ["vitamin", "mineral", "mineraux", "witamin", "apport", "enriched", "fortified"]
    /// Names that cover many substances. The label need not say more.
    static let flavourings: Set<String> = [
        "ing:flavouring", "ing:natural-flavouring", "ing:smoke-flavouring", "ing:vanilla-flavouring",
    ]
    static let enzymes: Set<String> = ["ing:enzymes", "ing:rennet"]

    /// Words that deny what follows: "ohne Aromen".
    private static let negations: Set<String> = [
        "ohne", "without", "no", "free", "sans", "sin", "senza", "sem", "zonder", "geen", "bez", "nelkul", "mentes",
    ]

    static func isNegation(_ word: String) -> Bool { negations.contains(word) }
    static func isFiller(_ word: String) -> Bool { fillers.contains(word) }
    static func isQualifier(_ word: String) -> Bool { qualifiers.contains(word) }
    static func isRomanNumeral(_ word: String) -> Bool { romanNumerals.contains(word) }
    static func isHeadFirst(_ language: String?) -> Bool { headFirst.contains(language ?? "") }
    static func opensNutrients(_ word: String) -> Bool { nutrients.contains { word.hasPrefix($0) } }

    static func isConjunction(_ word: String, language: String?) -> Bool {
        conjunctions.contains(word) || conjunctionsOfLanguages[language ?? ""]?.contains(word) == true
    }

    /// `E322i` for "e322i"; nil if the word is no E-number. Letters after the digits name a part.
    static func additiveNumber(_ word: String) -> String? {
        guard word.utf8.count >= 4, word.utf8.first == UInt8(ascii: "e") else { return nil }
        return isNumberPart(word.utf8.dropFirst()) ? word : nil
    }

    /// True for "330", "160a" and "322i".
    static func isNumberPart(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard (3...4).contains(digits.count), digits.first != UInt8(ascii: "0") else { return false }
        let rest = String(decoding: bytes[digits.endIndex...], as: UTF8.self)
        guard let first = rest.first else { return true }
        return isRomanNumeral(rest)
            || ("a"..."h").contains(first) && (rest.count == 1 || isRomanNumeral(String(rest.dropFirst())))
    }
}
