import Foundation
import HTTP
import Household
import Hummingbird

/// Whose lock a page is about, and where it leads.
struct LockPart {
    let member, letter, query: String
    let colour: Int
    let next: String?

    init(_ member: Member, next: NextPage) {
        self.member = member.name
        letter = PageTexts.letter(of: member.name)
        colour = member.colour
        query = next.query
        self.next = next.path
    }
}

/// The part of a page about the removal of a forgotten PIN. The owner's way to keep it is in the frame of every page.
struct RemovalPart {
    let member, back, help: String
    /// Who asked for it, and when it takes place; nil if nobody asked.
    let state: String?
    /// For those who may ask.
    let ask: String?
    let mayWithdraw: Bool

    /// - Parameter back: the address of the page.
    init(_ member: Member, viewer: Identity, back: String, _ texts: PageTexts) {
        let removal = member.removal
        self.member = member.name
        self.back = back
        help = texts.text("removal.help", ["name": member.name])
        state = removal.map { HouseholdText(texts).asked($0, of: member.name) }
        ask = viewer.isAdult && removal == nil ? texts.text("removal.ask", ["name": member.name]) : nil
        mayWithdraw = removal.map { viewer.isMember($0.askedBy) } == true && !viewer.isMember(member.name)
    }
}

/// The page that asks for a PIN.
struct PINPage: Page {
    static let template = "whopin"
    static let styles = ["form", "household"]

    let heading: String
    let lock: LockPart
    let removal: RemovalPart
    let error: String?

    init(_ member: Member, viewer: Identity, next: NextPage, _ texts: PageTexts, error: Problem? = nil) {
        heading = texts.text("pin.head", ["name": member.name])
        lock = LockPart(member, next: next)
        removal = RemovalPart(member, viewer: viewer, back: Self.address(of: member.name, next: next), texts)
        self.error = error.map { HouseholdText(texts).refusal($0) }
    }

    static func address(of name: String, next: NextPage) -> String {
        "/who/pin?member=\(name.escaped)" + next.parameter
    }
}

/// The page that asks for what opened a diary before there were PINs.
struct KeyPage: Page {
    static let template = "whokey"
    static let styles = ["form", "household"]

    let heading: String
    let lock: LockPart
    let removal: RemovalPart
    let hasKey, takesPassword: Bool
    /// Where the key is, for a diary that does not open here.
    let elsewhere: String?
    let error: String?

    /// - Parameter hasKey: true if a key that this browser keeps opens the diary.
    init(
        _ member: Member, viewer: Identity, hasKey: Bool, next: NextPage, _ texts: PageTexts, error: Problem? = nil
    ) {
        heading = texts.text("key.head", ["name": member.name])
        lock = LockPart(member, next: next)
        removal = RemovalPart(member, viewer: viewer, back: PINPage.address(of: member.name, next: next), texts)
        self.hasKey = hasKey
        takesPassword = member.lock == .password
        elsewhere = member.lock == .key && !hasKey ? texts.text("key.elsewhere", ["name": member.name]) : nil
        self.error = error.map { HouseholdText(texts).refusal($0) }
    }
}

/// The page on which whoever uses the device chooses a PIN, or none.
struct NewPINPage: Page {
    static let template = "whonewpin"
    static let styles = ["form", "household"]

    let heading, letter, back: String
    let colour: Int
    let isBefore, isLocked: Bool
    let next, error: String?

    init(_ member: Member, viewer: Identity, next: NextPage, _ texts: PageTexts, error: Problem? = nil) {
        heading = texts.text("newpin.head")
        letter = PageTexts.letter(of: member.name)
        colour = member.colour
        back = next.or(HouseholdPages.home(of: viewer))
        isBefore = member.isLockedByEarlierVersion
        isLocked = member.isLocked
        self.next = next.path
        self.error = error.map { HouseholdText(texts).refusal($0) }
    }
}

extension HouseholdPages {
    var pinRoutes: [Route] {
        [
            page(.get, "who/pin", for: .guest) { visit, viewer in
                let query = visit.call.query
                return try await pinPage(visit, viewer, try await member(query), next: NextPage(query["next"]))
            },
            page(.post, "who/pin", for: .guest) { try await open($0, $1) },
            page(.get, "who/newpin", for: .adult) { visit, viewer in
                try await newPINPage(visit, viewer, next: NextPage(visit.call.query["next"]))
            },
            page(.post, "who/newpin", for: .adult) { try await choosePIN($0, $1) },
            page(.post, "who/removal", for: .adult) { visit, viewer in
                let form = try await visit.call.form()
                try await cases.askRemoval(of: form["member"], by: viewer)
                return Visit.next(NextPage(form["next"]).or("/people"))
            },
            page(.post, "who/removal/cancel", for: .child) { visit, viewer in
                let form = try await visit.call.form()
                try await cases.cancelRemoval(of: form["member"], by: viewer)
                return Visit.next(NextPage(form["next"]).or("/"))
            },
        ]
    }

    // MARK: Opening

    private func pinPage(
        _ visit: Visit, _ viewer: Identity, _ member: Member, next: NextPage, error: Problem? = nil
    ) async throws -> Response {
        // The lock may be gone since the tile was shown.
        guard member.isLocked else { return Visit.next("/who" + next.query) }
        let status = error?.status ?? .ok
        guard member.isLockedByEarlierVersion else {
            return try visit.show(
                PINPage(member, viewer: viewer, next: next, visit.texts, error: error), status: status)
        }
        let hasKey = try await cases.opens(member, with: visit.call.request.diaryKeys)
        return try visit.show(
            KeyPage(member, viewer: viewer, hasKey: hasKey, next: next, visit.texts, error: error), status: status)
    }

    /// Opens the private pages of a member with a PIN, or once with what opened them before.
    private func open(_ visit: Visit, _ viewer: Identity) async throws -> Response {
        let form = try await visit.call.form()
        let (member, next) = (try await member(form), NextPage(form["next"]))
        return try await Visit.answer {
            let isKey = form["key"] == "yes"
            let chosen = try await cases.choose(
                member.name, secret: isKey ? nil : form.exact("secret"),
                keys: isKey ? visit.call.request.diaryKeys : [], for: viewer)
            guard chosen.isOpen else { throw Problem(403, "wrongPIN", "no key of this browser opens this diary") }
            return Visit.next(
                member.isLockedByEarlierVersion ? "/who/newpin" + next.query : Self.place(of: chosen, next))
        } refused: { problem in
            try await pinPage(visit, viewer, member, next: next, error: problem)
        }
    }

    // MARK: New PIN

    private func newPINPage(
        _ visit: Visit, _ viewer: Identity, next: NextPage, error: Problem? = nil
    ) async throws -> Response {
        let here = NextPage("/who/newpin" + next.query)
        guard let name = viewer.member?.name else { return Visit.next("/who" + here.query) }
        guard viewer.isOpen else { return Visit.next(PINPage.address(of: name, next: here)) }
        guard let member = try await cases.member(named: name) else { return Visit.next("/who") }
        return try visit.show(
            NewPINPage(member, viewer: viewer, next: next, visit.texts, error: error), status: error?.status ?? .ok)
    }

    private func choosePIN(_ visit: Visit, _ viewer: Identity) async throws -> Response {
        let form = try await visit.call.form()
        let next = NextPage(form["next"])
        return try await Visit.answer {
            if form["none"] == "yes" {
                try await cases.setPIN(nil, for: viewer)
            } else {
                try Self.checkForm(ofPIN: form["pin"])
                try await cases.setPIN(form["pin"], for: viewer)
            }
            return Visit.next(Self.place(of: viewer, next))
        } refused: { problem in
            try await newPINPage(visit, viewer, next: next, error: problem)
        }
    }

    /// - Throws: `Problem` (400) for a PIN that no household takes.
    static func checkForm(ofPIN pin: String) throws(Problem) {
        guard pin.wholeMatch(of: /[0-9]{4,8}/) != nil else {
            throw Problem(400, "badPIN", "a PIN has 4 to 8 digits")
        }
    }
}
