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

    let heading, lead, query, asGuest: String
    let people: [Tile]
    let next: String?

    /// - Parameter household: the name of the household; nil if it has none.
    init(_ members: [Member], household: String?, viewer: Identity, next: NextPage, _ texts: PageTexts) {
        let place = household.map { texts.text("who.lead.named", ["name": $0]) } ?? texts.text("who.lead.new")
        heading = texts.text("who.head")
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

/// The form for a new person, or for a guest.
struct NewPersonPage: Page {
    static let template = "whoadd"
    static let styles = ["form", "household"]

    struct Choice {
        let key, name: String
        let isChosen: Bool
    }

    let heading, name, query, action: String
    let isGuest, isChild: Bool
    let allergens: [Choice]
    let next, error: String?

    /// - Parameter draft: the form as it was sent. A refused PIN is not sent back.
    init(
        _ name: String, isGuest: Bool, draft: FormBody, allergens: [Allergen], _ language: PageLanguage,
        error: Problem? = nil
    ) {
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
        self.error = error.map { HouseholdText(texts).refusal($0) }
    }
}

extension HouseholdPages {
    var whoRoutes: [Route] {
        [
            page(.get, "who", for: .guest) { visit, viewer in
                let members = try await cases.members()
                guard !members.isEmpty else { return Visit.next("/welcome") }
                return try visit.show(
                    WhoPage(
                        members, household: try await cases.name(), viewer: viewer,
                        next: NextPage(visit.call.query["next"]), visit.texts))
            },
            page(.post, "who", for: .guest) { visit, viewer in
                try await choose(try await visit.call.form(), viewer)
            },
            page(.get, "who/add", for: .guest) { visit, _ in
                let query = visit.call.query
                let isGuest = query["as"] == "guest"
                let name = isGuest ? try await cases.freeGuestName(visit.texts.text("who.guest")) : ""
                return try newPersonPage(visit, query, name: name, isGuest: isGuest)
            },
            page(.post, "who/add", for: .guest) { visit, viewer in
                try await addPerson(visit, isGuest: false) { form, body in
                    // A child has no private pages.
                    let pin = form["child"] == "yes" ? "" : form["pin"]
                    // Checked before the person is added: a refused form adds nobody.
                    if !pin.isEmpty { try Self.checkForm(ofPIN: pin) }
                    var body = body
                    body.role = form["child"] == "yes" ? .child : .adult
                    return try await people.add(form["name"], body, pin: pin.isEmpty ? nil : pin, for: viewer)
                }
            },
            page(.post, "who/guest", for: .guest) { visit, viewer in
                try await addPerson(visit, isGuest: true) { form, body in
                    try await people.addGuest(form["name"], body, for: viewer)
                }
            },
            page(.post, "who/leave", for: .guest) { visit, viewer in
                try await cases.signOut(viewer)
                var response = Visit.next("/")
                response.setCookie("tablesight", "", seconds: 0, for: visit.call.request)
                return response
            },
        ]
    }

    /// The first page of a person. A child begins with the games.
    static func home(of viewer: Identity) -> String { viewer.member?.role == .child ? "/games" : "/" }

    /// Where choosing a person leads. Only adults may see any page that was asked for before.
    static func place(of viewer: Identity, _ next: NextPage) -> String {
        let mayFollow = viewer.isAdult || next.path?.hasPrefix("/who/") == true
        return mayFollow ? next.or(home(of: viewer)) : home(of: viewer)
    }

    /// Lets the member of a tile use the device. A member with a lock is asked for the PIN first, or leaves the diary
    /// shut.
    private func choose(_ form: FormBody, _ viewer: Identity) async throws -> Response {
        let (member, next) = (try await member(form), NextPage(form["next"]))
        // Nothing changes for somebody whose pages are open here.
        if viewer.isMember(member.name), viewer.isOpen { return Visit.next(Self.place(of: viewer, next)) }
        guard !member.isLocked || form["plain"] == "yes" else {
            return Visit.next(PINPage.address(of: member.name, next: next))
        }
        return Visit.next(Self.place(of: try await cases.choose(member.name, for: viewer), next))
    }

    private func newPersonPage(
        _ visit: Visit, _ form: FormBody, name: String, isGuest: Bool, error: Problem? = nil
    ) throws -> Response {
        let page = NewPersonPage(
            name, isGuest: isGuest, draft: form, allergens: try people.allergens(of: nil), visit.language, error: error)
        return try visit.show(page, status: error?.status ?? .ok)
    }

    /// Adds a person, who uses the device from then on.
    private func addPerson(
        _ visit: Visit, isGuest: Bool, _ add: (FormBody, PersonBody) async throws -> Identity
    ) async throws -> Response {
        let form = try await visit.call.form()
        let isFirst = try await cases.members().isEmpty
        return try await Visit.answer {
            let known = Set(try people.allergens(of: nil).map(\.rawValue))
            // The level is that of a new person on the command line.
            let allergens = form.all("a.").filter { known.contains($0.key) }
                .mapValues { _ in AllergenProfile.Sensitivity.high }
            let chosen = try await add(form, PersonBody(allergens: allergens, language: visit.texts.language))
            let next = NextPage(form["next"])
            return Visit.next(isFirst ? next.or("/welcome") : Self.place(of: chosen, next))
        } refused: { problem in
            try newPersonPage(visit, form, name: form["name"], isGuest: isGuest, error: problem)
        }
    }
}
