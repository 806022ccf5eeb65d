import Allergens
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
}

// To and from the records.
extension PersonBody {
    init(of member: Member) {
        let profile = member.profile
        self.init(
            regime: .init(rawValue: profile.regime),
            allergens: Dictionary(uniqueKeysWithValues: profile.allergens.map { ($0.key.rawValue, $0.value) }),
            language: profile.language, words: profile.words?.map { .init($0) }, role: member.role,
            colour: member.colour)
    }

    /// - Throws: ``Problem`` (400) that names the wrong value.
    func newMember(
        named name: String, _ interpreter: AllergenInterpreter, _ wordings: Wordings
    ) throws -> NewMember {
        NewMember(name, role: role ?? .adult, profile: try profile(named: name.printable, interpreter, wordings))
    }

    /// Role and colour stay where they are left out.
    ///
    /// - Throws: ``Problem`` (400) that names the wrong value.
    func change(_ member: inout Member, _ interpreter: AllergenInterpreter, _ wordings: Wordings) throws {
        member.profile = try profile(named: member.name, interpreter, wordings)
        member.role = role ?? member.role
        member.colour = colour ?? member.colour
    }

    private static let mostWords = 50

    private func profile(
        named name: String, _ interpreter: AllergenInterpreter, _ wordings: Wordings
    ) throws -> AllergenProfile {
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

// MARK: Form

/// What the form of a person says.
struct PersonDraft {
    /// The text fields, as the template shows them.
    struct Texts {
        let name: String
    }

    /// The name as stored; nil for a new person.
    var stored: String?
    var name = ""
    var body: PersonBody

    var texts: Texts { Texts(name: name) }

    init(of member: Member) {
        (stored, name) = (member.name, member.name)
        body = PersonBody(of: member)
    }

    /// A new person.
    ///
    /// - Parameter count: how many people there are, so that the next one gets another colour.
    init(after count: Int) { body = PersonBody(role: .adult, colour: count % PeoplePage.colours.count + 1) }

    /// The form as it was sent.
    ///
    /// - Parameters:
    ///   - allergens: those of a law.
    ///   - named: the allergen among others that a person means by a word; nil for an own word.
    /// - Throws: ``Problem`` (400) for a value that the form does not offer.
    init(
        _ form: FormBody, allergens: (PersonBody.Regime) throws -> [Allergen],
        named: (String, [Allergen]) -> Allergen?
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
            if let allergen = named(word, all) {
                watched[allergen.rawValue] = watched[allergen.rawValue] ?? .high
            } else if !words.contains(word) {
                words.append(word)
            }
        }
        body = PersonBody(
            regime: regime, allergens: watched, language: form.text("language"), words: words.map { .init($0) },
            role: role, colour: Int(form["colour"]))
    }
}
