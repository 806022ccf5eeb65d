import Foundation
import HTTP
import Household
import Hummingbird

/// `/v1/members`, `/v1/session`, `/v1/people` (also as `/v1/profiles`), PINs and `/v1/devices`.
struct HouseholdAPI {
    let cases: HouseholdUseCases
    let people: PeopleUseCases

    var routes: [Route] {
        memberRoutes + personRoutes("v1/people") + personRoutes("v1/profiles") + pinRoutes + deviceRoutes
            + Self.endedRoutes
    }

    private static let nobody = "There is nobody of this name."

    private var memberRoutes: [Route] {
        [
            Route(
                .get, "v1/members", for: .guest, "Everybody in the household", gives: [200: "The members."]
            ) { _ in try await cases.members().map { HouseholdMember($0) } },
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
                    return Session(try await cases.chooseGuest(choice.guest, for: identity))
                }
                return Session(
                    try await cases.choose(
                        name, secret: choice.pin ?? choice.password, keys: call.request.diaryKeys, for: identity))
            },
            Route(
                .delete, "v1/session", for: .guest, "Signs this device out", gives: [204: "The device is gone."]
            ) { call in
                try await cases.signOut(try call.identity)
                return Nothing()
            }.deleting(cookie: "tablesight"),
        ]
    }

    // MARK: People

    private func personRoutes(_ base: String) -> [Route] {
        let unknown = Problem(404, "notFound", "no such person: GET /v1/people lists them")
        let missing = "There is nothing under this address."
        return [
            Route(.get, "\(base)", for: .adult, "The stored people", gives: [200: "People by name."]) { _ in
                try await people.people()
            },
            Route(
                .get, "\(base)/\(.member)", for: .adult, "One person", gives: [200: "The person."],
                refuses: [404: missing]
            ) { call in
                guard let person = try await people.person(try call[.member]) else { throw unknown }
                return person
            },
            Route(
                .put, "\(base)/\(.member)", for: .adult, "Stores a person; stored photos are judged again",
                body: PersonBody.self, gives: [200: "Changed.", 201: "New."],
                refuses: [
                    404: missing, 409: "A person of this name is stored elsewhere.",
                    413: "The body is too large; `limitBytes` names the limit.",
                ]
            ) { call, body in
                let name = try call[.member]
                let isNew = try await people.save(name, body)
                guard let person = try await people.person(name) else { throw unknown }
                return Answered(isNew ? 201 : 200, person)
            },
            Route(
                .delete, "\(base)/\(.member)", for: .adult, "Removes a person with everything that is theirs",
                gives: [200: "What there was."],
                refuses: [404: missing, 409: "The setting profiles chooses this person."]
            ) { call in
                guard let report = try await people.remove(try call[.member]) else { throw unknown }
                return report
            },
        ]
    }

    // MARK: PINs

    private var pinRoutes: [Route] {
        [
            Route(
                .put, "v1/me/pin", for: .adult, "Sets the PIN that opens the private pages", body: NewPIN.self,
                upTo: 4 << 10, gives: [204: "Set."]
            ) { call, new in
                try await cases.setPIN(new.pin, for: try call.identity)
                return Nothing()
            },
            Route(.delete, "v1/me/pin", for: .adult, "Removes the PIN", gives: [204: "Removed."]) { call in
                try await cases.setPIN(nil, for: try call.identity)
                return Nothing()
            },
            Route(
                .post, "v1/people/\(.member)/pin/removal", for: .adult,
                "Asks for the removal of a forgotten PIN: after a day, with the daemon's own key at once",
                gives: [202: "Asked."], refuses: [400: "There is no PIN.", 404: Self.nobody]
            ) { call in
                try await cases.askRemoval(of: try call[.member], by: try call.identity)
                return Nothing()
            },
            Route(
                .delete, "v1/people/\(.member)/pin/removal", for: .adult, "Takes it back: the owner, or who asked",
                gives: [204: "Taken back."], refuses: [404: "Nobody asked."]
            ) { call in
                try await cases.cancelRemoval(of: try call[.member], by: try call.identity)
                return Nothing()
            },
        ]
    }

    // MARK: Devices

    private var deviceRoutes: [Route] {
        [
            Route(.get, "v1/devices", for: .adult, "Paired phones and browsers", gives: [200: "Devices."]) { _ in
                try await cases.devices()
            },
            Route(
                .post, "v1/devices/codes", for: .adult, "Make a code that pairs one device", gives: [201: "The code."]
            ) { call in try await cases.newCode(by: try call.identity.device) },
            Route(
                .delete, "v1/devices/\(.device)", for: .adult, "Revoke a device", gives: [204: "Revoked."],
                refuses: [400: "The id is not a number.", 404: "No such device."]
            ) { call in
                guard try await cases.remove(device: try call[.device]) else {
                    throw Problem(404, "notFound", "no such device: GET /v1/devices lists them")
                }
                return Nothing()
            },
        ]
    }

    // MARK: Earlier versions

    private static var endedRoutes: [Route] {
        let session = #"PUT /v1/session with {"member":"…"}"#
        let ended: [(HTTPRequest.Method, RoutePath, String)] = [
            (.get, "v1/accounts", "GET /v1/members"), (.post, "v1/accounts", "PUT /v1/people/{name}"),
            (.get, "v1/accounts/me", "GET /v1/me"), (.delete, "v1/accounts/me", "DELETE /v1/people/{name}"),
            (.get, "v1/accounts/me/export", "GET /v1/me/export"),
            (.put, "v1/accounts/me/password", "PUT /v1/me/pin"), (.post, "v1/session", session),
            (.post, "v1/people/\(.member)/diary/keys", session), (.post, "v1/people/\(.member)/diary/codes", session),
        ]
        return ended.map { .ended($0, $1, "one person has one key now, the device's: use \($2)") }
    }
}

extension PathParameter where Value == String {
    /// The name of a member, in any spelling.
    static var member: Self {
        PathParameter(
            "name", "The person's name.", schema: Schema(type: "string", minLength: 1, maxLength: 60)
        ) { name in
            guard (1...60).contains(name.count) else {
                throw Problem(400, "badRequest", "a name has 1 to 60 characters")
            }
            return name
        }
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var device: Self {
        PathParameter("id", "The device's number.", schema: Schema(type: "integer", format: "int64")) { text in
            guard let id = Int64(text) else {
                throw Problem(400, "badRequest", "the id of a device is a number: GET /v1/devices lists them")
            }
            return id
        }
    }
}
