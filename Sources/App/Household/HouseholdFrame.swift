import Core
import Foundation
import Hummingbird

// What the frame of every page shows of the household.

extension Identity {
    /// True for adults, and for whoever comes first in a house without one.
    var isAdult: Bool { role >= .adult }

    /// True for those who read photos and play, and see nothing else of the household.
    var seesLittle: Bool { member != nil && !isAdult }

    /// True if this is who uses the device.
    func isMember(_ name: String) -> Bool { member?.name == name }
}

/// The page to which a form leads, an address of this server.
struct NextPage {
    /// Nil for no address, and for one of another server.
    let path: String?

    private static let longest = 500

    init(_ text: String) {
        let isLocal =
            text.utf8.count <= Self.longest
            && (text == "/" || text.wholeMatch(of: /\/[A-Za-z][A-Za-z0-9\/?=&%._~:+,#-]*/) != nil)
        path = isLocal ? text : nil
    }

    /// The page that somebody asked for; the diary's for the answer to a form, which has no address of its own.
    init(askedBy request: Request) {
        self.init(request.method == .get ? request.uri.path + (request.uri.query.map { "?\($0)" } ?? "") : "/today")
    }

    func or(_ other: String) -> String { path ?? other }

    /// For the end of an address that has parameters.
    var parameter: String { path.map { "&next=" + $0.escaped } ?? "" }
    /// For the end of an address without parameters.
    var query: String { path.map { "?next=" + $0.escaped } ?? "" }
}

/// Picture and name of a member, or of somebody unknown.
struct MemberPicture {
    let name, letter, colour, label: String
    /// True while nobody uses the device.
    let isNobody: Bool

    /// The picture that leads to "Who is it?"; nil for the daemon's own key.
    init?(of viewer: Identity, _ texts: PageTexts) {
        isNobody = viewer.member == nil
        guard let member = viewer.member else {
            guard viewer.device != nil else { return nil }
            (name, label) = (texts.text("who.head"), texts.text("who.head"))
            (letter, colour) = ("", "")
            return
        }
        name = texts.person(member.name)
        letter = PageTexts.letter(of: name)
        colour = "\(member.colour)"
        label = texts.text("me.change", ["name": member.name])
    }
}

/// A removal of the PIN that somebody asked for, with the form that stops it.
struct RemovalAlarm {
    let text, member, here: String

    /// - Parameter path: the address of the page.
    init?(of viewer: Identity, at path: String, _ texts: PageTexts) {
        guard let name = viewer.member?.name, let removal = viewer.removal else { return nil }
        let time = HouseholdText.time(Date(seconds: removal.opens))
        text = texts.text("removal.alarm", ["by": removal.askedBy, "time": time])
        member = name
        here = NextPage(path).or("/")
    }
}
