import Core
import HTTP
import Household
import Hummingbird

// PINs as JSON, and the pages that ask for one.
extension HouseholdRoutes {
    var pinRoutes: [Route] {
        [
            Route(
                .put, "v1/me/pin", for: .adult, "Sets the PIN that opens the private pages", body: NewPIN.self,
                upTo: 4 << 10, gives: [204: "Set."]
            ) { call, new in
                try await actions.setPIN(new.pin, for: try call.identity)
                return Nothing()
            },
            Route(.delete, "v1/me/pin", for: .adult, "Removes the PIN", gives: [204: "Removed."]) { call in
                try await actions.setPIN(nil, for: try call.identity)
                return Nothing()
            },
            Route(
                .post, "v1/people/\(.member)/pin/removal", for: .adult,
                "Asks for the removal of a forgotten PIN: after a day, with the daemon's own key at once",
                gives: [202: "Asked."], refuses: [400: "There is no PIN.", 404: Self.nobody]
            ) { call in
                try await actions.askRemoval(of: try call[.member], by: try call.identity)
                return Nothing()
            },
            Route(
                .delete, "v1/people/\(.member)/pin/removal", for: .adult, "Takes it back: the owner, or who asked",
                gives: [204: "Taken back."], refuses: [404: "Nobody asked."]
            ) { call in
                try await actions.cancelRemoval(of: try call[.member], by: try call.identity)
                return Nothing()
            },

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
                try await actions.askRemoval(of: form["member"], by: viewer)
                return Visit.next(NextPage(form["next"]).or("/people"))
            },
            page(.post, "who/removal/cancel", for: .child) { visit, viewer in
                let form = try await visit.call.form()
                try await actions.cancelRemoval(of: form["member"], by: viewer)
                return Visit.next(NextPage(form["next"]).or("/"))
            },
        ]
    }

    // MARK: Opening

    private func pinPage(
        _ visit: Visit, _ viewer: Identity, _ member: Member, next: NextPage
    ) async throws -> Response {
        // The lock may be gone since the tile was shown.
        guard member.isLocked else { return Visit.next("/who" + next.query) }
        guard member.isLockedByEarlierVersion else {
            return try visit.show(PINPage(member, viewer: viewer, next: next, visit.texts))
        }
        let keys = visit.call.request.diaryKeys
        let hasKey = try await actions { try $0.members(ofKeys: keys).contains(member.id) }
        return try visit.show(KeyPage(member, viewer: viewer, hasKey: hasKey, next: next, visit.texts))
    }

    /// Opens the private pages of a member with a PIN, or once with what opened them before.
    private func open(_ visit: Visit, _ viewer: Identity) async throws -> Response {
        let form = try await visit.call.form()
        let (member, next) = (try await member(form), NextPage(form["next"]))
        return try await visit.answer {
            let isKey = form["key"] == "yes"
            let chosen = try await actions.choose(
                member.name, secret: isKey ? nil : form.exact("secret"),
                keys: isKey ? visit.call.request.diaryKeys : [], for: viewer)
            guard chosen.isOpen else { throw HouseholdProblem.refused }
            return Visit.next(
                member.isLockedByEarlierVersion ? "/who/newpin" + next.query : Self.place(of: chosen, next))
        } refused: {
            try await pinPage($0, viewer, member, next: next)
        }
    }

    // MARK: New PIN

    private func newPINPage(_ visit: Visit, _ viewer: Identity, next: NextPage) async throws -> Response {
        let here = NextPage("/who/newpin" + next.query)
        guard let name = viewer.member?.name else { return Visit.next("/who" + here.query) }
        guard viewer.isOpen else { return Visit.next(PINPage.address(of: name, next: here)) }
        guard let member = try await actions({ try $0.member(named: name) }) else { return Visit.next("/who") }
        return try visit.show(NewPINPage(member, viewer: viewer, next: next, visit.texts))
    }

    private func choosePIN(_ visit: Visit, _ viewer: Identity) async throws -> Response {
        let form = try await visit.call.form()
        let next = NextPage(form["next"])
        return try await visit.answer {
            if form["none"] == "yes" {
                try await actions.setPIN(nil, for: viewer)
            } else {
                try await actions.setPIN(form["pin"], for: viewer)
            }
            return Visit.next(Self.place(of: viewer, next))
        } refused: {
            try await newPINPage($0, viewer, next: next)
        }
    }
}

struct NewPIN: Sendable, Decodable, Documented {
    var pin: String

    static let example: String? = #"{"pin":"1234"}"#
    static let fields = ["pin": Field(pattern: "^[0-9]{4,8}$")]
}
