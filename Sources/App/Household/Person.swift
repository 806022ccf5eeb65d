import Core
import HTTP
import Household
import Kinds

// What a person is outside the records: as JSON and as a form. A field of a person is added here.

/// What warns a person, and their place in the household, as clients and forms send it. The name is in the address.
struct PersonBody: Sendable, Decodable, Documented {
    /// The laws that name allergens.
    enum Regime: String, Sendable, Codable, CaseIterable { case eu14, us9, canada, aunz, japan }

    /// A word that warns a person wherever it occurs.
    struct OwnWord: Sendable, Decodable, SelfDescribed {
        let text: String

        init(_ text: String) { self.text = text }
        init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

        static var sample: Self { OwnWord("kiwi") }
        static var schema: Schema {
            Schema(
                type: "string", minLength: PersonInput.wordLengths.lowerBound,
                maxLength: PersonInput.wordLengths.upperBound)
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
}

extension PersonBody {
    var input: PersonInput {
        PersonInput(
            regime: regime?.rawValue, allergens: allergens ?? [:], language: language,
            words: (words ?? []).map(\.text), role: role, colour: colour)
    }
}

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

// MARK: Form

struct PersonDraft {
    /// The text fields, as the template shows them.
    struct Texts {
        let name: String
    }

    /// The name as stored; nil for a new person.
    var stored: String?
    var name = ""
    var input: PersonInput

    var texts: Texts { Texts(name: name) }

    init(of member: Member) {
        (stored, name) = (member.name, member.name)
        input = PersonInput(of: member)
    }

    /// A new person.
    ///
    /// - Parameter count: how many people there are, so that the next one gets another colour.
    init(after count: Int) { input = PersonInput(role: .adult, colour: count % PeoplePage.colours.count + 1) }

    /// The form as it was sent.
    ///
    /// - Parameters:
    ///   - allergens: those of a law.
    ///   - wordings: the names of allergens in all languages.
    /// - Throws: ``Problem`` (400) for a value that the form does not offer.
    init(
        _ form: FormBody, allergens: (PersonBody.Regime) throws -> [Allergen],
        _ wordings: Wordings
    ) throws {
        stored = form.text("stored")
        name = form["name"]
        let regime: PersonBody.Regime = form.choice("regime") ?? .eu14
        // The form shows the allergens of the law chosen before; another law may not have all of them.
        let all = try allergens(regime)
        let known = Set(all.map(\.rawValue))
        let role: Member.Role? = form.choice("role")
        guard role != nil || form["role"].isEmpty else {
            throw Problem(400, "badRequest", "the role must be adult or child")
        }
        var watched = try form.all("a.").filter { known.contains($0.key) }.mapValues { level in
            guard let level = AllergenProfile.Sensitivity(rawValue: level) else {
                throw Problem(400, "badRequest", "a sensitivity must be mild, moderate, high or severe")
            }
            return level
        }
        var words = form.all("w.").sorted { $0.key < $1.key }.map(\.value)
        // What was searched for and not picked: without script this is how something is added.
        for word in form["find"].split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if let allergen = wordings.allergen(named: word, among: all) {
                watched[allergen.rawValue] = watched[allergen.rawValue] ?? .high
            } else if !words.contains(word) {
                words.append(word)
            }
        }
        input = PersonInput(
            regime: regime.rawValue, allergens: watched, language: form.text("language"), words: words, role: role,
            colour: Int(form["colour"]))
    }
}

extension Wordings {
    /// The allergen that a person means by a word: its name in any language, or the beginning of one. Nil if none or
    /// several are meant.
    fileprivate func allergen(named word: String, among all: [Allergen]) -> Allergen? {
        let typed = Folding.fold(word)
        let names = all.map { allergen in
            (
                allergen,
                [allergen.rawValue.lowercased()]
                    + languages.compactMap { self[$0].map { Folding.fold($0.name(of: allergen)) } }
            )
        }
        if let found = names.first(where: { $0.1.contains(typed) }) { return found.0 }
        let begun = names.filter { typed.count >= Self.shortestBeginning && $0.1.contains { $0.hasPrefix(typed) } }
        return begun.count == 1 ? begun[0].0 : nil
    }

    /// Letters that make a beginning telling: `erdnuss` of `Erdnüsse`.
    private static let shortestBeginning = 4
}
