import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// The page that asks for a PIN, or for what opened a diary before there were PINs.
struct PINPage {
    let member: APIMember
    let viewer: Identity
    /// True if a key that this browser keeps opens the diary.
    let hasKey: Bool
    let next: NextPage
    let texts: PageTexts
    var error: Problem?

    var template: String { member.isLockedByEarlierVersion ? "whokey" : "whopin" }
    var heading: String {
        texts.text(member.isLockedByEarlierVersion ? "key.head" : "pin.head", ["name": member.name])
    }

    static func address(of name: String, next: NextPage) -> String {
        "/who/pin?member=\(name.escaped)" + next.parameter
    }

    func values() -> Values {
        var values = texts.member(member.name, colour: member.colour).merging(
            [
                "head": heading, "query": next.query, "hasKey": hasKey, "takesPassword": member.lock == "password",
                "isOnlyElsewhere": member.lock == "key" && !hasKey,
                "elsewhere": texts.text("key.elsewhere", ["name": member.name]),
                "removal": RemovalPart(member: member, viewer: viewer, texts: texts).values(
                    back: Self.address(of: member.name, next: next)),
            ], uniquingKeysWith: { $1 })
        if let path = next.path { values["next"] = path }
        if let error { values["error"] = HouseholdText.refusal(error, texts) }
        return values
    }
}

/// The part of a page about the removal of a forgotten PIN. The owner's way to keep it is in the frame of every page.
struct RemovalPart {
    let member: APIMember
    let viewer: Identity
    let texts: PageTexts

    /// - Parameter back: the address of the page.
    func values(back: String) -> Values {
        let removal = member.removal
        let isAsker = removal.map { viewer.isMember($0.askedBy) } ?? false
        var values: Values = [
            "member": member.name, "back": back, "isWaiting": removal != nil,
            "mayAsk": viewer.isAdult && removal == nil,
            "mayWithdraw": isAsker && !viewer.isMember(member.name),
            "ask": texts.text("removal.ask", ["name": member.name]),
            "help": texts.text("removal.help", ["name": member.name]),
        ]
        if let removal { values["state"] = HouseholdText(texts).asked(removal, of: member.name) }
        return values
    }
}

extension WebRoutes {
    func addPINs(to routes: RouterGroup<APIContext>) {
        routes.get("who/pin") { request, context in
            try await orPage(request, section: "") {
                let form = FormBody(queryOf: request)
                return try await pinPage(
                    request, try context.known(), try await member(form), next: NextPage(form["next"]))
            }
        }
        routes.post("who/pin") { request, context in
            try await orPage(request, section: "") { try await open(request, try context.known()) }
        }
        routes.get("who/newpin") { request, context in
            try await orPage(request, section: "") {
                let next = NextPage(FormBody(queryOf: request)["next"])
                return try await newPINPage(request, try context.known(), next: next)
            }
        }
        routes.post("who/newpin") { request, context in
            try await orPage(request, section: "") { try await choosePIN(request, try context.known()) }
        }
        routes.post("who/removal") { request, context in
            try await orPage(request, section: "") {
                let form = try await FormBody(request)
                try await household.askRemoval(of: form["member"], by: try context.known())
                return Self.seeOther(NextPage(form["next"]).or("/people"))
            }
        }
        routes.post("who/removal/cancel") { request, context in
            try await orPage(request, section: "") {
                let form = try await FormBody(request)
                try await household.cancelRemoval(of: form["member"], by: try context.known())
                return Self.seeOther(NextPage(form["next"]).or("/"))
            }
        }
    }

    // MARK: Opening

    private func pinPage(
        _ request: Request, _ viewer: Identity, _ member: APIMember, next: NextPage, error: Problem? = nil
    ) async throws -> Response {
        // The lock may be gone since the tile was shown.
        guard member.isLocked else { return Self.seeOther("/who" + next.query) }
        let keys = member.isLockedByEarlierVersion ? request.diaryKeys : []
        let hasKey = try await household.owners(ofKeys: keys).contains(member.name)
        let shown = PINPage(
            member: member, viewer: viewer, hasKey: hasKey, next: next, texts: try language(request).texts,
            error: error)
        return try page(
            request, shown.template, section: "", heading: shown.heading, shown.values(), status: error?.status ?? .ok)
    }

    /// Opens the private pages of a member with a PIN, or once with what opened them before.
    private func open(_ request: Request, _ viewer: Identity) async throws -> Response {
        let form = try await FormBody(request)
        let (member, next) = (try await member(form), NextPage(form["next"]))
        let chosen: Identity
        do {
            let isKey = form["key"] == "yes"
            chosen = try await household.choose(
                member.name, secret: isKey ? nil : form.exact("secret"), keys: isKey ? request.diaryKeys : [],
                for: viewer)
            guard chosen.isOpen else { throw Problem(403, "wrongPIN", "no key of this browser opens this diary") }
        } catch let problem as Problem where problem.status.code < 500 {
            return try await pinPage(request, viewer, member, next: next, error: problem)
        }
        return Self.seeOther(
            member.isLockedByEarlierVersion ? "/who/newpin" + next.query : Self.place(of: chosen, next))
    }

    // MARK: New PIN

    /// The page on which whoever uses the device chooses a PIN, or none.
    private func newPINPage(
        _ request: Request, _ viewer: Identity, next: NextPage, error: Problem? = nil
    ) async throws -> Response {
        let here = NextPage("/who/newpin" + next.query)
        guard let name = viewer.member?.name else { return Self.seeOther("/who" + here.query) }
        guard viewer.isOpen else { return Self.seeOther(PINPage.address(of: name, next: here)) }
        guard let member = try await household.members().first(where: { $0.name == name }) else {
            return Self.seeOther("/who")
        }
        let texts = try language(request).texts
        var values = texts.member(member.name, colour: member.colour)
        values["isBefore"] = member.isLockedByEarlierVersion
        values["isLocked"] = member.isLocked
        values["back"] = next.or(Self.home(of: viewer))
        if let path = next.path { values["next"] = path }
        if let error { values["error"] = HouseholdText.refusal(error, texts) }
        return try page(
            request, "whonewpin", section: "", heading: texts.text("newpin.head"), values,
            status: error?.status ?? .ok)
    }

    private func choosePIN(_ request: Request, _ viewer: Identity) async throws -> Response {
        let form = try await FormBody(request)
        let next = NextPage(form["next"])
        do {
            if form["none"] == "yes" {
                try await household.setPIN(nil, for: viewer)
            } else {
                try Self.checkForm(ofPIN: form["pin"])
                try await household.setPIN(form["pin"], for: viewer)
            }
        } catch let problem as Problem where problem.status.code < 500 {
            return try await newPINPage(request, viewer, next: next, error: problem)
        }
        return Self.seeOther(Self.place(of: viewer, next))
    }

    /// - Throws: `Problem` (400) for a PIN that no household takes.
    static func checkForm(ofPIN pin: String) throws(Problem) {
        guard pin.wholeMatch(of: /[0-9]{4,8}/) != nil else {
            throw Problem(400, "badPIN", "a PIN has 4 to 8 digits")
        }
    }
}
