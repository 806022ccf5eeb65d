import Core
import Foundation
import Household

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

struct PINPage: HouseholdPage {
    static let template = "whopin"
    static let styles = ["form", "household"]

    let heading: String
    let lock: LockPart
    let removal: RemovalPart

    init(_ member: Member, viewer: Identity, next: NextPage, _ texts: PageTexts) {
        heading = texts.text("pin.head", ["name": member.name])
        lock = LockPart(member, next: next)
        removal = RemovalPart(member, viewer: viewer, back: Self.address(of: member.name, next: next), texts)
    }

    static func address(of name: String, next: NextPage) -> String {
        "/who/pin?member=\(name.escaped)" + next.parameter
    }
}

/// The page that asks for what opened a diary before there were PINs.
struct KeyPage: HouseholdPage {
    static let template = "whokey"
    static let styles = ["form", "household"]

    let heading: String
    let lock: LockPart
    let removal: RemovalPart
    let hasKey, takesPassword: Bool
    /// Where the key is, for a diary that does not open here.
    let elsewhere: String?

    /// - Parameter hasKey: true if a key that this browser keeps opens the diary.
    init(_ member: Member, viewer: Identity, hasKey: Bool, next: NextPage, _ texts: PageTexts) {
        heading = texts.text("key.head", ["name": member.name])
        lock = LockPart(member, next: next)
        removal = RemovalPart(member, viewer: viewer, back: PINPage.address(of: member.name, next: next), texts)
        self.hasKey = hasKey
        takesPassword = member.lock == .password
        elsewhere = member.lock == .key && !hasKey ? texts.text("key.elsewhere", ["name": member.name]) : nil
    }
}

/// The page on which whoever uses the device chooses a PIN, or none.
struct NewPINPage: HouseholdPage {
    static let template = "whonewpin"
    static let styles = ["form", "household"]

    let heading, letter, back: String
    let colour: Int
    let isBefore, isLocked: Bool
    let next: String?

    init(_ member: Member, viewer: Identity, next: NextPage, _ texts: PageTexts) {
        heading = texts.text("newpin.head")
        letter = PageTexts.letter(of: member.name)
        colour = member.colour
        back = next.or(HouseholdRoutes.home(of: viewer))
        isBefore = member.isLockedByEarlierVersion
        isLocked = member.isLocked
        self.next = next.path
    }
}
