import Core
import HTTP
import Household
import Hummingbird
import Store

// People as JSON, at two addresses, and the page People.
extension HouseholdRoutes {
    var peopleRoutes: [Route] { personRoutes("v1/people") + personRoutes("v1/profiles") + peoplePages }

    // MARK: JSON

    private func personRoutes(_ base: String) -> [Route] {
        let missing = "There is nothing under this address."
        return [
            Route(.get, "\(base)", for: .adult, "The stored people", gives: [200: "People by name."]) { _ in
                try await actions { try $0.members() }.map { Person($0) } + people.chosen().map { Person(chosen: $0) }
            },
            Route(
                .get, "\(base)/\(.member)", for: .adult, "One person", gives: [200: "The person."],
                refuses: [404: missing]
            ) { call in
                let name = try call[.member]
                if let chosen = try await people.chosen(name) { return Person(chosen: chosen) }
                return Person(try await actions.member(name))
            },
            Route(
                .put, "\(base)/\(.member)", for: .adult, "Stores a person; stored photos are judged again",
                body: PersonBody.self, gives: [200: "Changed.", 201: "New."],
                refuses: [
                    404: missing, 409: "A person of this name is stored elsewhere.",
                    413: "The body is too large; `limitBytes` names the limit.",
                ]
            ) { call, body in
                let (person, isNew) = try await people.save(try call[.member], body.input)
                return Answered(isNew ? 201 : 200, Person(person))
            },
            Route(
                .delete, "\(base)/\(.member)", for: .adult, "Removes a person with everything that is theirs",
                gives: [200: "What there was."],
                refuses: [404: missing, 409: "The setting profiles chooses this person."]
            ) { call in try await people.remove(try call[.member]) },
        ]
    }

    // MARK: Page

    private var peoplePages: [Route] {
        [
            page(.get, "people", for: .adult, in: .people) { visit, viewer in
                try await peoplePage(visit, viewer, name: visit.call.query["name"])
            },
            page(.post, "people", for: .adult, in: .people) { try await savePerson($0, $1) },
            page(.post, "people/delete", for: .adult, in: .people) { visit, viewer in
                let name = try await visit.call.form()["name"]
                return try await visit.answer {
                    let member = try await people.removable(name)
                    return try visit.next(
                        "/people", deleting: visit.texts.text("people.removed", ["name": member.name]),
                        back: "/people?name=\(member.name.escaped)", Deletion(.member, member.id, member.name))
                } refused: {
                    try await peoplePage($0, viewer)
                }
            },
        ]
    }

    /// - Parameter name: whom the form shows; a new person for an unknown one.
    private func peoplePage(
        _ visit: Visit, _ viewer: Identity, name: String = "", draft: PersonDraft? = nil, message: String? = nil
    ) async throws -> Response {
        let hidden = visit.undos.hiddenNumbers(.member)
        let members = try await actions { try $0.members() }.filter { !hidden.contains($0.id) }
        let stored = members.first { DisplayName.areEqual($0.name, name) }
        let draft = draft ?? stored.map { PersonDraft(of: $0) } ?? PersonDraft(after: members.count)
        let page = PeoplePage(
            members, chosen: try await people.chosen(), draft: draft,
            allergens: try people.allergens(of: draft.input.regime), languages: shell.languageNames,
            viewer: viewer, visit.language)
        return try visit.show(page, message: message)
    }

    private func savePerson(_ visit: Visit, _ viewer: Identity) async throws -> Response {
        let draft = try PersonDraft(
            try await visit.call.form(), allergens: { try people.allergens(of: $0.rawValue) }, wordings)
        return try await visit.answer {
            let user = try await people.save(
                draft.name, formerly: draft.stored, draft.input, by: viewer)
            return try await peoplePage(
                visit, user, name: draft.name, message: visit.texts.text("people.saved", ["name": draft.name]))
        } refused: {
            try await peoplePage($0, viewer, draft: draft)
        }
    }
}
