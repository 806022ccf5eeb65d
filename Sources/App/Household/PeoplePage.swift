import Core
import Foundation
import Household

struct PeoplePage: HouseholdPage {
    static let template = "people"
    static let styles = ["form", "household"]
    static let scripts = ["people"]

    struct Colour {
        let value, label, letter: String
        let isChosen: Bool
    }

    /// An allergen that the person avoids, with its level.
    struct Field {
        let key, name: String
        let levels: [Choice]
    }

    /// An allergen or an own word that can be picked.
    struct Pick {
        let field, value, name: String
        let isChosen: Bool
    }

    /// What opens the private pages, and what the viewer may do about it.
    struct PIN {
        let text: String
        let change: String?
        /// For others, while there is a PIN.
        let removal: RemovalPart?
    }

    struct Stored {
        let name, remove: String
    }

    struct Row {
        let name, letter, address, role, watches: String
        let colour: Int
        let isCurrent: Bool
        let lockText: String?
    }

    /// A person who is judged for in this run and is no member.
    struct Chosen {
        let name, letter, watches: String
    }

    static let colours = 1...4
    /// Most allergies to food concern the foods that US law names, here with their names in all laws.
    private static let common: [Allergen] = [
        .milk, .eggs, .gluten, .wheat, .nuts, .peanuts, .fish, .soybeans, .crustaceans, .shellfish, .sesame,
    ]

    let head: String
    let form: PersonDraft.Texts
    let roles, languages, regimes: [Choice]
    let colours: [Colour]
    let avoids: String
    let avoided: [Field]
    /// For what is picked on the page.
    let levels: [Choice]
    /// The allergens that most people ask about, and the own words; below them the rest.
    let common, others: [Pick]
    let stored: Stored?
    let pin: PIN?
    let household: [Row]
    let chosen: [Chosen]
    let isEmpty: Bool

    /// - Parameters:
    ///   - chosen: people who are judged for in this run and are no members.
    ///   - allergens: those of the draft's law.
    ///   - languages: BCP 47.
    init(
        _ members: [Member], chosen: [AllergenProfile], draft: PersonDraft, allergens: [Allergen],
        languages: [String], viewer: Identity, _ language: PageLanguage
    ) {
        let (texts, input) = (language.texts, draft.input)
        func watches(_ profile: AllergenProfile) -> String { Self.watches(profile, language) }
        head = draft.stored ?? texts.text("people.new")
        form = draft.texts
        // A guest can become somebody of the household; nobody becomes a guest here.
        let roles: [Member.Role] = input.role == .guest ? [.guest, .child, .adult] : [.adult, .child]
        self.roles = Choice.all(roles, chosen: input.role ?? .adult) { texts.text("role.\($0)") }
        self.languages = Choice.all(languages, chosen: input.language ?? texts.language) {
            Locale(identifier: $0).localizedString(forLanguageCode: $0) ?? $0
        }
        let regime = PersonBody.Regime(rawValue: input.regime ?? "eu14")
        regimes = Choice.all(PersonBody.Regime.allCases, chosen: regime) { texts.text("regime.\($0)") }
        colours = Self.colours.map { colour in
            Colour(
                value: "\(colour)", label: texts.text("people.colour.\(colour)"),
                letter: PageTexts.letter(of: draft.name.isEmpty ? "?" : draft.name),
                isChosen: colour == input.colour ?? 1)
        }
        avoids = texts.text(draft.stored == nil ? "people.avoids.new" : "people.avoids", ["name": draft.name])
        func levels(_ chosen: AllergenProfile.Sensitivity?) -> [Choice] {
            Choice.all(AllergenProfile.Sensitivity.allCases, chosen: chosen) { texts.text("sens.\($0)") }
        }
        self.levels = levels(.high)
        let watched = input.allergens
        func name(_ allergen: Allergen) -> String { language.wording.name(of: allergen).capitalizedFirst }
        avoided = allergens.compactMap { allergen in
            watched[allergen.rawValue].map { level in
                Field(key: allergen.rawValue, name: name(allergen), levels: levels(level))
            }
        }
        func picks(_ list: [Allergen]) -> [Pick] {
            list.filter { watched[$0.rawValue] == nil }.map {
                Pick(field: "a.\($0.rawValue)", value: "high", name: name($0), isChosen: false)
            }
        }
        let words = input.words.enumerated().map { index, word in
            Pick(field: "w.\(index)", value: word, name: word, isChosen: true)
        }
        common = words + picks(Self.common.filter(allergens.contains))
        others = picks(allergens.filter { !Self.common.contains($0) })
        stored = draft.stored.map { name in
            Stored(name: name, remove: texts.text("people.remove", ["name": name]))
        }
        pin = members.first { $0.name == draft.stored && $0.role != .guest }.map { member in
            let isOwn = viewer.isMember(member.name)
            return PIN(
                text: texts.text("people.lock.\(member.lock.rawValue)", ["name": member.name]),
                change: isOwn ? texts.text(member.isLocked ? "people.pin.change" : "people.pin.choose") : nil,
                removal: !isOwn && member.isLocked
                    ? RemovalPart(member, viewer: viewer, back: Self.address(member.name), texts) : nil)
        }
        household = members.map { member in
            Row(
                name: texts.person(member.name), letter: PageTexts.letter(of: member.name),
                address: Self.address(member.name), role: texts.text("role.\(member.role.rawValue)"),
                watches: watches(member.profile), colour: member.colour, isCurrent: member.name == draft.stored,
                lockText: member.isLocked ? HouseholdText(texts).lock(member) : nil)
        }
        self.chosen = chosen.map {
            Chosen(name: texts.person($0.name), letter: PageTexts.letter(of: $0.name), watches: watches($0))
        }
        isEmpty = members.isEmpty && chosen.isEmpty
    }

    private static func address(_ name: String) -> String { "/people?name=\(name.escaped)" }

    private static func watches(_ profile: AllergenProfile, _ language: PageLanguage) -> String {
        let texts = language.texts
        guard profile.warns else { return texts.text("people.nothing") }
        let sorted = profile.allergens.sorted { ($0.value.rank, $1.key.rawValue) > ($1.value.rank, $0.key.rawValue) }
        return texts.list(
            sorted.map { "\(language.wording.name(of: $0.key)) (\(texts.text("sens.\($0.value.rawValue)")))" }
                + (profile.words ?? []))
    }
}

extension AllergenProfile.Sensitivity {
    /// Position in the order of severity.
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
