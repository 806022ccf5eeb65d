import Core
import Household

/// The first steps in a new household.
struct WelcomePage: HouseholdPage {
    static let template = "welcome"
    static let styles = ["household"]

    struct Person {
        let name, letter, address, watches: String
        let colour: Int
    }

    let people: [Person]
    let hasPhotos, hasPhones: Bool
    /// Where people are added.
    let add: String
    /// The code for a phone; nil before somebody asked for one.
    let code: PairingCodePart?

    init(_ steps: FirstSteps, code: PairingCodePart? = nil, _ language: PageLanguage) {
        let texts = language.texts
        people = steps.people.map { member in
            let watched = member.profile.allergens.keys.sorted { $0.rawValue < $1.rawValue }
            return Person(
                name: texts.person(member.name), letter: PageTexts.letter(of: member.name),
                address: member.name.escaped,
                watches: (watched.map { language.wording.name(of: $0) } + (member.profile.words ?? []))
                    .joined(separator: ", "), colour: member.colour)
        }
        (hasPhotos, hasPhones) = (steps.hasPhotos, steps.hasPhones)
        // The first person who is added uses this browser; others are added for their own phones.
        add = steps.people.isEmpty ? "/who/add?next=%2Fwelcome" : "/people"
        self.code = code
    }
}
