import Core
import Foundation
import HTTP
import Household

struct HouseholdText {
    let texts: PageTexts

    init(_ texts: PageTexts) { self.texts = texts }

    /// Under a person's picture: role, and what opens the private pages.
    func note(_ member: Member) -> String {
        if member.role == .guest { return texts.text("who.note.guest") }
        guard member.role == .child else { return lock(member) }
        let child = texts.text("who.note.child")
        return member.isLocked ? "\(child), \(lock(member))" : child
    }

    func lock(_ member: Member) -> String { texts.text("who.note.\(member.lock.rawValue)") }

    /// Who asked for the removal of a PIN, and when it takes place.
    func asked(_ removal: Identity.Removal, of name: String) -> String {
        texts.text(
            "removal.asked",
            ["by": removal.askedBy, "name": name, "time": Self.time(Date(seconds: removal.opens))])
    }

    /// A time in the zone of this machine, with the zone's name: `2026-11-26, 09:20 CET`.
    static func time(_ date: Date, in zone: TimeZone = .current) -> String {
        let day = date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
        let clock = date.formatted(Date.ISO8601FormatStyle(timeZone: zone).time(includingFractionalSeconds: false))
        let name = zone.abbreviation(for: date).map { " \($0)" } ?? ""
        return "\(day), \(clock.prefix(5))\(name)"
    }
}

/// A page with forms about people and PINs, whose refusals have their own texts.
protocol HouseholdPage: Page {}

extension HouseholdPage {
    static func refusal(_ problem: Problem, _ texts: PageTexts) -> String {
        switch problem.code {
        case "conflict": return texts.text("who.taken")
        case "wrongPIN": return texts.text("pin.wrong")
        case "badPIN": return texts.text("pin.bad")
        case "tooMany":
            let minutes = max(1, ((problem.retryAfter ?? 60) + 59) / 60)
            return texts.text("pin.wait", ["n": "\(minutes)"])
        default: return texts.refusal(problem)
        }
    }
}
