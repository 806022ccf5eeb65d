import Core
import Foundation
import HTTP
import Household
import Hummingbird

/// "Who is it?": a tile for each person.
struct WhoPage: Page {
    static let template = "who"
    static let styles = ["household"]

    struct Tile {
        let member, name, letter, note: String
        let colour: Int
        let isLocked, isCurrent: Bool
    }

    let lead, query, asGuest: String
    let people: [Tile]
    let next: String?

    /// - Parameter household: the name of the household; nil if it has none.
    init(_ members: [Member], household: String?, viewer: Identity, next: NextPage, _ texts: PageTexts) {
        let place = household.map { texts.text("who.lead.named", ["name": $0]) } ?? texts.text("who.lead.new")
        lead = viewer.member == nil ? place : texts.text("who.lead.again")
        query = next.query
        asGuest = "?as=guest" + next.parameter
        people = members.map { member in
            Tile(
                member: member.name, name: texts.person(member.name), letter: PageTexts.letter(of: member.name),
                note: HouseholdText(texts).note(member), colour: member.colour, isLocked: member.isLocked,
                isCurrent: viewer.isMember(member.name))
        }
        self.next = next.path
    }

    /// The address of the page that asks who it is, and leads back to what was asked for.
    static func address(next request: Request) -> String {
        "/who" + NextPage(askedBy: request).query
    }
}

struct NewPersonPage: HouseholdPage {
    static let template = "whoadd"
    static let styles = ["form", "household"]

    struct Choice {
        let key, name: String
        let isChosen: Bool
    }

    let heading, name, query, action: String
    let isGuest, isChild: Bool
    let allergens: [Choice]
    let next: String?

    /// - Parameter draft: the form as it was sent. A refused PIN is not sent back.
    init(_ name: String, isGuest: Bool, draft: FormBody, allergens: [Allergen], _ language: PageLanguage) {
        let (texts, next, chosen) = (language.texts, NextPage(draft["next"]), draft.all("a."))
        heading = texts.text(isGuest ? "who.guest" : "who.add")
        self.name = name
        query = next.query
        action = isGuest ? "/who/guest" : "/who/add"
        self.isGuest = isGuest
        isChild = draft["child"] == "yes"
        self.allergens = allergens.map { allergen in
            Choice(
                key: allergen.rawValue, name: language.wording.name(of: allergen).capitalizedFirst,
                isChosen: chosen[allergen.rawValue] != nil)
        }
        self.next = next.path
    }
}
