import Core
import Foundation
import HTTP
import Household
import Hummingbird

// Members and who uses a device as JSON, "Who is it?", and new people.
extension HouseholdRoutes {
    var whoRoutes: [Route] {
        [
            Route(
                .get, "v1/members", for: .guest, "Everybody in the household", gives: [200: "The members."]
            ) { _ in try await actions { try $0.members() }.map { HouseholdMember($0) } },
            Route(.get, "v1/session", for: .guest, "Who uses this device", gives: [200: "The session."]) { call in
                Session(try call.identity)
            },
            Route(
                .put, "v1/session", for: .guest, "Says who uses this device", body: SessionChoice.self, upTo: 4 << 10,
                gives: [200: "The session."],
                refuses: [
                    403: "Wrong PIN, wrong host, or the request comes from another site.",
                    404: Self.nobody, 409: "The guest's name is taken.",
                    429: "Too many wrong PINs; Retry-After says when to try again.",
                ]
            ) { call, choice in
                let identity = try call.identity
                guard identity.device != nil else {
                    throw Problem(
                        400, "badRequest", "the daemon's own key is no device: send \(Identity.header) instead")
                }
                guard let name = choice.member else {
                    return Session(try await actions.chooseGuest(choice.guest, for: identity))
                }
                return Session(
                    try await actions.choose(
                        name, secret: choice.pin ?? choice.password, keys: call.request.diaryKeys, for: identity))
            },
            Route(
                .delete, "v1/session", for: .guest, "Signs this device out", gives: [204: "The device is gone."]
            ) { call in
                try await actions.signOut(try call.identity)
                return Nothing()
            }.deleting(cookie: "tablesight"),

            page(.get, "who", for: .guest) { visit, viewer in
                let members = try await actions { try $0.members() }
                guard !members.isEmpty else { return Visit.next("/welcome") }
                return try visit.show(
                    WhoPage(
                        members, household: try await actions { try $0.name() }, viewer: viewer,
                        next: NextPage(visit.call.query["next"]), visit.texts))
            },
            page(.post, "who", for: .guest) { visit, viewer in
                try await choose(try await visit.call.form(), viewer)
            },
            page(.get, "who/add", for: .guest) { visit, _ in
                let query = visit.call.query
                let isGuest = query["as"] == "guest"
                let name = isGuest ? try await actions.freeGuestName(visit.texts.text("who.guest")) : ""
                return try newPersonPage(visit, query, name: name, isGuest: isGuest)
            },
            page(.post, "who/add", for: .guest) { visit, viewer in
                try await addPerson(visit, isGuest: false) { form, input in
                    // A child has no private pages.
                    let pin = form["child"] == "yes" ? "" : form["pin"]
                    var input = input
                    input.role = form["child"] == "yes" ? .child : .adult
                    return try await people.add(form["name"], input, pin: pin.isEmpty ? nil : pin, for: viewer)
                }
            },
            page(.post, "who/guest", for: .guest) { visit, viewer in
                try await addPerson(visit, isGuest: true) { form, input in
                    try await people.addGuest(form["name"], input, for: viewer)
                }
            },
            page(.post, "who/leave", for: .guest) { visit, viewer in
                try await actions.signOut(viewer)
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
        return Visit.next(Self.place(of: try await actions.choose(member.name, for: viewer), next))
    }

    private func newPersonPage(
        _ visit: Visit, _ form: FormBody, name: String, isGuest: Bool
    ) throws -> Response {
        let allergens = try people.allergens(of: nil)
        return try visit.show(
            NewPersonPage(name, isGuest: isGuest, draft: form, allergens: allergens, visit.language))
    }

    /// Adds a person, who uses the device from then on.
    private func addPerson(
        _ visit: Visit, isGuest: Bool, _ add: (FormBody, PersonInput) async throws -> Identity
    ) async throws -> Response {
        let form = try await visit.call.form()
        let isFirst = try await actions { try $0.members() }.isEmpty
        return try await visit.answer {
            let known = Set(try people.allergens(of: nil).map(\.rawValue))
            // The level is that of a new person on the command line.
            let allergens = form.all("a.").filter { known.contains($0.key) }
                .mapValues { _ in AllergenProfile.Sensitivity.high }
            let chosen = try await add(form, PersonInput(allergens: allergens, language: visit.texts.language))
            let next = NextPage(form["next"])
            return Visit.next(isFirst ? next.or("/welcome") : Self.place(of: chosen, next))
        } refused: {
            try newPersonPage($0, form, name: form["name"], isGuest: isGuest)
        }
    }
}

/// Who shall use a device.
struct SessionChoice: Sendable, Decodable, Documented {
    var member, pin, password, guest: String?

    static let example: String? = #"{"member":"Leo","pin":"1234"}, or {"guest":"Emil"}"#
    static let fields = [
        "password": Field("Of an account of an earlier version, once more."),
        "guest": Field("The name of a new guest."),
    ]
}
