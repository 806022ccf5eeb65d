import Allergens
import Core
import HTTP
import Household
import Presentation

/// What warns a person, and their place in the household, as clients and forms send it. The name is in the address.
struct PersonBody: Sendable, Decodable, Documented {
    /// The laws that name allergens.
    enum Regime: String, Sendable, Codable, CaseIterable { case eu14, us9, canada, aunz, japan }

    /// A word that warns a person wherever it occurs.
    struct OwnWord: Sendable, Decodable, SelfDescribed {
        let text: String

        init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespaces) }
        init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

        static let lengths = 2...40
        static var sample: Self { OwnWord("kiwi") }
        static var schema: Schema {
            Schema(type: "string", minLength: lengths.lowerBound, maxLength: lengths.upperBound)
        }
    }

    var regime: Regime?
    /// Levels by allergens.
    var allergens: [String: AllergenProfile.Sensitivity]?
    var language: String?
    var words: [OwnWord]?
    var role: Member.Role?
    /// 1 to 4.
    var colour: Int?

    static let example: String? =
        #"{"regime":"eu14","allergens":{"milk":"severe"},"language":"de","words":["kiwi"],"role":"adult"}"#
    static let fields = [
        "regime": Field("The law that names the allergens.", usual: "eu14"),
        "allergens": Field("Levels by allergens of the law."), "language": Field("Of the verdicts, BCP 47."),
        "words": Field("Own words that warn wherever they occur."),
        "colour": Field("Number of the picture's colour.", range: 1...4),
    ]

    private static let mostWords = 50

    /// - Throws: ``Problem`` (400) that names the wrong value.
    func profile(named name: String, _ interpreter: AllergenInterpreter, _ wordings: Wordings) throws -> AllergenProfile
    {
        let regime = try interpreter.regime(named: (regime ?? .eu14).rawValue)
        var watched: [Allergen: AllergenProfile.Sensitivity] = [:]
        for (key, level) in allergens ?? [:] {
            guard let allergen = Allergen(rawValue: key), regime.allergens.contains(allergen) else {
                throw Problem(400, "badRequest", "\(key.printable) is not in the regime \(regime.name)")
            }
            watched[allergen] = level
        }
        let own = (words ?? []).map(\.text).filter { !$0.isEmpty }
        for word in own where !OwnWord.lengths.contains(word.count) || word.printable != word {
            throw Problem(
                400, "badRequest",
                "“\(word.printable)”: a word has \(OwnWord.lengths.lowerBound) to \(OwnWord.lengths.upperBound) "
                    + "characters, without control characters")
        }
        guard own.count <= Self.mostWords else {
            throw Problem(400, "badRequest", "at most \(Self.mostWords) words")
        }
        if let language, !wordings.languages.contains(language) {
            throw Problem(400, "badRequest", "no texts in the language \(language.printable)")
        }
        return AllergenProfile(
            name: name, regime: regime.name, allergens: watched, language: language, words: own.isEmpty ? nil : own)
    }
}

/// A person whom photos are judged for.
struct Person: Sendable, Codable, Documented {
    var name, regime: String
    var allergens: [Allergen: AllergenProfile.Sensitivity]
    var language: String?
    var words: [String]?
    var role: Member.Role?
    var colour: Int?
    var readOnly: Bool?

    init(_ member: Member) {
        self.init(member.profile)
        (role, colour) = (member.role, member.colour)
    }

    /// - Parameter profile: of a file that the setting `profiles` names.
    init(chosen profile: AllergenProfile) {
        self.init(profile)
        readOnly = true
    }

    private init(_ profile: AllergenProfile) {
        (name, regime, allergens) = (profile.name, profile.regime, profile.allergens)
        (language, words) = (profile.language, profile.words)
    }

    static let fields = [
        "colour": Field("Number of the picture's colour.", range: 1...4),
        "readOnly": Field("True for somebody whom the setting profiles names by a file, for this run."),
    ]
}
