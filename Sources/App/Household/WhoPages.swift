import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// "Who is it?": a tile for each person.
struct WhoPage {
    let members: [APIMember]
    /// The name of the household; nil if it has none.
    let household: String?
    let viewer: Identity
    let next: NextPage
    let texts: PageTexts

    func values() -> Values {
        let words = HouseholdText(texts)
        let place = household.map { texts.text("who.lead.named", ["name": $0]) } ?? texts.text("who.lead.new")
        var values: Values = [
            "people": members.map { member -> Values in
                texts.member(member.name, colour: member.colour).merging(
                    [
                        "note": words.note(member), "isLocked": member.isLocked,
                        "isCurrent": viewer.isMember(member.name),
                    ], uniquingKeysWith: { $1 })
            },
            "lead": viewer.member == nil ? place : texts.text("who.lead.again"), "query": next.query,
            "asGuest": "?as=guest" + next.parameter,
        ]
        if let path = next.path { values["next"] = path }
        return values
    }
}

/// The form for a new person, or for a guest.
struct NewPersonPage {
    let isGuest: Bool
    let allergens: [Allergen]
    let name: String
    let draft: FormBody
    let next: NextPage
    let language: PageLanguage
    var error: Problem?

    func values() -> Values {
        let texts = language.texts
        let chosen = draft.all("a.")
        // A refused PIN is not sent back.
        var values: Values = [
            "isGuest": isGuest, "name": name, "isChild": draft["child"] == "yes",
            "head": texts.text(isGuest ? "who.guest" : "who.add"), "query": next.query,
            "action": isGuest ? "/who/guest" : "/who/add",
            "allergens": allergens.map { allergen -> Values in
                [
                    "key": allergen.rawValue, "name": language.wording.name(of: allergen).capitalizedFirst,
                    "isChosen": chosen[allergen.rawValue] != nil,
                ]
            },
        ]
        if let path = next.path { values["next"] = path }
        if let error { values["error"] = HouseholdText.refusal(error, texts) }
        return values
    }
}

/// What warns a person, and their place in the household, as the API takes it.
struct PersonBody: Encodable {
    var regime = Self.usualRegime
    /// Levels by allergens.
    var allergens: [String: String]
    var language: String?
    var words: [String] = []
    var role: String?
    /// 1 to 4.
    var colour: Int?

    static let usualRegime = "eu14"
}

extension WebRoutes {
    func addWho(to routes: RouterGroup<APIContext>) {
        routes.get("who") { request, context in
            try await orPage(request, section: "") { try await who(request, try context.known()) }
        }
        routes.post("who") { request, context in
            try await orPage(request, section: "") {
                try await choose(try await FormBody(request), try context.known())
            }
        }
        routes.get("who/add") { request, _ in
            try await orPage(request, section: "") {
                let form = FormBody(queryOf: request)
                let isGuest = form["as"] == "guest"
                return try await newPersonPage(
                    request, form, name: isGuest ? try await freeGuestName(request) : "", isGuest: isGuest)
            }
        }
        routes.post("who/add") { request, context in
            try await addPerson(request, context, isGuest: false) { try await add($0, try context.known(), request) }
        }
        routes.post("who/guest") { request, context in
            try await addPerson(request, context, isGuest: true) {
                try await addGuest($0, try context.known(), request)
            }
        }
        routes.post("who/leave") { request, context in
            try await orPage(request, section: "") {
                try await household.signOut(try context.known())
                var response = Self.seeOther("/")
                response.setCookie("tablesight", "", seconds: 0, for: request)
                return response
            }
        }
    }

    /// The member whom a form or an address names.
    ///
    /// - Throws: `Problem` (404) if there is no such member.
    func member(_ form: FormBody) async throws -> APIMember {
        let name = form["member"]
        guard let member = try await household.members().first(where: { DisplayName.areEqual($0.name, name) }) else {
            throw Problem(404, "notFound", "there is no such person in this household, or no longer")
        }
        return member
    }

    /// The first page of a person. A child begins with the games.
    static func home(of viewer: Identity) -> String { viewer.member?.role == .child ? "/games" : "/" }

    /// Where choosing a person leads. Only adults may see any page that was asked for before.
    static func place(of viewer: Identity, _ next: NextPage) -> String {
        let mayFollow = viewer.isAdult || next.path?.hasPrefix("/who/") == true
        return mayFollow ? next.or(home(of: viewer)) : home(of: viewer)
    }

    private func who(_ request: Request, _ viewer: Identity) async throws -> Response {
        let members = try await household.members()
        guard !members.isEmpty else { return Self.seeOther("/welcome") }
        let texts = try language(request).texts
        let shown = WhoPage(
            members: members, household: try await household.name(), viewer: viewer,
            next: NextPage(FormBody(queryOf: request)["next"]), texts: texts)
        return try page(request, "who", section: "", heading: texts.text("who.head"), shown.values())
    }

    /// Lets the member of a tile use the device. A member with a lock is asked for the PIN first, or leaves the diary shut.
    private func choose(_ form: FormBody, _ viewer: Identity) async throws -> Response {
        let (member, next) = (try await member(form), NextPage(form["next"]))
        // Nothing changes for somebody whose pages are open here.
        if viewer.isMember(member.name), viewer.isOpen { return Self.seeOther(Self.place(of: viewer, next)) }
        guard !member.isLocked || form["plain"] == "yes" else {
            return Self.seeOther("/who/pin?member=\(member.name.escaped)" + next.parameter)
        }
        let chosen = try await household.choose(member.name, secret: nil, keys: [], for: viewer)
        return Self.seeOther(Self.place(of: chosen, next))
    }

    // MARK: New people

    private func newPersonPage(
        _ request: Request, _ form: FormBody, name: String, isGuest: Bool, error: Problem? = nil
    ) async throws -> Response {
        let language = try language(request)
        let shown = NewPersonPage(
            isGuest: isGuest, allergens: try await source.allergens(of: PersonBody.usualRegime), name: name,
            draft: form, next: NextPage(form["next"]), language: language, error: error)
        let head = language.texts.text(isGuest ? "who.guest" : "who.add")
        return try page(
            request, "whoadd", section: "", heading: head, shown.values(), status: error?.status ?? .ok)
    }

    /// `Guest`, or `Guest 2` while somebody has this name.
    private func freeGuestName(_ request: Request) async throws -> String {
        let word = try language(request).texts.text("who.guest")
        let taken = try await household.members().map(\.name)
        let names = [word] + (2...taken.count + 2).map { "\(word) \($0)" }
        return names.first { name in !taken.contains { DisplayName.areEqual($0, name) } } ?? word
    }

    /// Adds a person, who uses the device from then on.
    private func addPerson(
        _ request: Request, _ context: APIContext, isGuest: Bool, _ add: (FormBody) async throws -> Identity
    ) async throws -> Response {
        try await orPage(request, section: "") {
            let form = try await FormBody(request)
            let isFirst = try await household.members().isEmpty
            do {
                let next = NextPage(form["next"])
                let chosen = try await add(form)
                return Self.seeOther(isFirst ? next.or("/welcome") : Self.place(of: chosen, next))
            } catch let problem as Problem where problem.status.code < 500 {
                return try await newPersonPage(request, form, name: form["name"], isGuest: isGuest, error: problem)
            }
        }
    }

    private func add(_ form: FormBody, _ viewer: Identity, _ request: Request) async throws -> Identity {
        // A child has no private pages.
        let pin = form["child"] == "yes" ? "" : form["pin"]
        // Checked before the person is added: a refused form adds nobody.
        if !pin.isEmpty { try Self.checkForm(ofPIN: pin) }
        try await requireFree(form["name"])
        var body = try await picked(form, request)
        body.role = form["child"] == "yes" ? "child" : "adult"
        _ = try await people.save(form["name"], try JSONCoding.encode(body))
        let chosen = try await household.choose(form["name"], secret: nil, keys: [], for: viewer)
        if !pin.isEmpty { try await household.setPIN(pin, for: chosen) }
        return chosen
    }

    private func addGuest(_ form: FormBody, _ viewer: Identity, _ request: Request) async throws -> Identity {
        try await requireFree(form["name"])
        let chosen = try await household.chooseGuest(form["name"], for: viewer)
        if let name = chosen.member?.name {
            _ = try await people.save(name, try JSONCoding.encode(try await picked(form, request)))
        }
        return chosen
    }

    /// Saving a person of a known name changes that person, which a form for a new one must not do.
    ///
    /// - Throws: `Problem` (409).
    func requireFree(_ name: String) async throws {
        if let other = try await household.members().first(where: { DisplayName.areEqual($0.name, name) }) {
            throw Problem(409, "conflict", "\(other.name.printable) is in this household already")
        }
    }

    /// What warns a new person. The level is that of a new person on the command line.
    private func picked(_ form: FormBody, _ request: Request) async throws -> PersonBody {
        let known = Set(try await source.allergens(of: PersonBody.usualRegime).map(\.rawValue))
        let allergens = form.all("a.").filter { known.contains($0.key) }.mapValues { _ in "high" }
        return PersonBody(allergens: allergens, language: try language(request).texts.language)
    }
}
