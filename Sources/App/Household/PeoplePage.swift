import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// What the form of a person says.
struct PersonDraft {
    /// The name as stored; nil for a new person.
    var stored: String?
    var name = ""
    var role = "adult"
    var colour: Int
    var profile = AllergenProfile(name: "", allergens: [:])

    init(of person: WebPerson) {
        (stored, name) = (person.profile.name, person.profile.name)
        (role, colour, profile) = (person.role, person.colour, person.profile)
    }

    /// A new person.
    ///
    /// - Parameter count: how many people there are, so that the next one gets another colour.
    init(after count: Int) { colour = count % PeoplePage.colours.count + 1 }
}

/// The people of the household, and a form for one of them.
struct PeoplePage {
    let people: [WebPerson]
    /// The same people, with their locks.
    let members: [APIMember]
    /// People who are judged for in this run and are no members.
    let chosen: [AllergenProfile]
    let draft: PersonDraft
    let allergens: [Allergen]
    let languages: [PageLanguage]
    let language: PageLanguage
    let viewer: Identity
    var message: String?
    var error: Problem?

    private static let levels: [AllergenProfile.Sensitivity] = [.mild, .moderate, .high, .severe]
    static let regimes = ["eu14", "us9", "canada", "aunz", "japan"]
    static let colours = 1...4

    private var texts: PageTexts { language.texts }

    func values() -> Values {
        // A guest can become somebody of the household; nobody becomes a guest here.
        let roles = draft.role == "guest" ? ["guest", "child", "adult"] : ["adult", "child"]
        var values: Values = [
            "household": people.map(row), "chosen": chosen.map(chosenRow), "isEmpty": people.isEmpty && chosen.isEmpty,
            "name": draft.name, "words": (draft.profile.words ?? []).joined(separator: ", "),
            "head": draft.stored ?? texts.text("people.new"), "allergens": allergens.map(field),
            "roles": options(roles, draft.role) { texts.text("role.\($0)") },
            "colours": Self.colours.map { colour -> Values in
                [
                    "value": "\(colour)", "isChosen": colour == draft.colour,
                    "label": texts.text("people.colour.\(colour)"),
                    "letter": texts.who(draft.name.isEmpty ? "?" : draft.name)["letter"] ?? "",
                ]
            },
            "regimes": options(Self.regimes, draft.profile.regime) { texts.text("regime.\($0)") },
            "languages": options(
                languages.map(\.texts.language), draft.profile.language ?? texts.language
            ) { Locale(identifier: $0).localizedString(forLanguageCode: $0) ?? $0 },
        ]
        if let name = draft.stored {
            values["stored"] = name
            values["remove"] = texts.text("people.remove", ["name": name])
            values["removeText"] = texts.text("people.remove.text", ["name": name])
            values["lock"] = member(name).map(lock)
        }
        if let message { values["message"] = message }
        if let error { values["error"] = HouseholdText.refusal(error, texts) }
        return values
    }

    private func member(_ name: String) -> APIMember? { members.first { $0.name == name } }

    private func options(_ all: [String], _ chosen: String, _ text: (String) -> String) -> [Values] {
        all.map { ["value": $0, "text": text($0), "isChosen": $0 == chosen] }
    }

    private func field(_ allergen: Allergen) -> Values {
        [
            "key": allergen.rawValue, "name": language.wording.name(of: allergen),
            "levels": options(Self.levels.map(\.rawValue), draft.profile.allergens[allergen]?.rawValue ?? "") {
                texts.text("sens.\($0)")
            },
        ]
    }

    /// What opens the private pages, and what the viewer may do about it.
    private func lock(_ member: APIMember) -> Values {
        [
            "isGuest": member.role == "guest", "isOwn": viewer.isMember(member.name), "isLocked": member.isLocked,
            "text": texts.text("people.lock.\(member.lock)", ["name": member.name]),
            "change": texts.text(member.isLocked ? "people.pin.change" : "people.pin.choose"),
            "removal": RemovalPart(member: member, viewer: viewer, texts: texts).values(back: address(member.name)),
        ]
    }

    private func address(_ name: String) -> String { "/people?name=\(name.escaped)" }

    private func row(_ person: WebPerson) -> Values {
        let name = person.profile.name
        var values = texts.member(name, colour: person.colour)
        values["address"] = address(name)
        values["isCurrent"] = name == draft.stored
        values["role"] = texts.text("role.\(person.role)")
        values["watches"] = watches(person.profile)
        if let member = member(name), member.isLocked { values["lockText"] = HouseholdText(texts).lock(member) }
        return values
    }

    private func chosenRow(_ profile: AllergenProfile) -> Values {
        var values = texts.who(profile.name)
        values["watches"] = watches(profile)
        return values
    }

    private func watches(_ profile: AllergenProfile) -> String {
        guard profile.warns else { return texts.text("people.nothing") }
        let sorted = profile.allergens.sorted { ($0.value.rank, $1.key.rawValue) > ($1.value.rank, $0.key.rawValue) }
        return texts.list(
            sorted.map { "\(language.wording.name(of: $0.key)) (\(texts.text("sens.\($0.value.rawValue)")))" }
                + (profile.words ?? []))
    }
}

extension AllergenProfile.Sensitivity {
    fileprivate var rank: Int {
        switch self {
        case .mild: 0
        case .moderate: 1
        case .high: 2
        case .severe: 3
        }
    }
}

extension WebRoutes {
    func addPeople(to routes: RouterGroup<APIContext>) {
        routes.get("people") { request, context in
            try await orPage(request, section: "people") {
                try await peoplePage(request, try context.known(), name: FormBody(queryOf: request)["name"])
            }
        }
        routes.post("people") { request, context in
            try await orPage(request, section: "people") { try await savePerson(request, try context.known()) }
        }
        routes.post("people/delete") { request, context in
            try await orPage(request, section: "people") {
                let texts = try language(request).texts
                let name = try await FormBody(request)["name"]
                let message = try await people.remove(name).map { _ in texts.text("people.removed", ["name": name]) }
                return try await peoplePage(request, try context.known(), message: message)
            }
        }
    }

    /// - Parameter name: whom the form shows; a new person for an unknown one.
    private func peoplePage(
        _ request: Request, _ viewer: Identity, name: String = "", draft: PersonDraft? = nil, message: String? = nil,
        error: Problem? = nil
    ) async throws -> Response {
        let language = try language(request)
        let people = try await source.storedPeople()
        let stored = people.first { DisplayName.areEqual($0.profile.name, name) }
        let draft = draft ?? stored.map { PersonDraft(of: $0) } ?? PersonDraft(after: people.count)
        let shown = PeoplePage(
            people: people, members: try await household.members(), chosen: try await source.peopleChosenElsewhere(),
            draft: draft, allergens: try await source.allergens(of: draft.profile.regime), languages: languages,
            language: language, viewer: viewer, message: message, error: error)
        return try page(
            request, "people", section: "people", heading: language.texts.text("people.head"), shown.values(),
            status: error?.status ?? .ok)
    }

    private func savePerson(_ request: Request, _ viewer: Identity) async throws -> Response {
        let texts = try language(request).texts
        let form = try await FormBody(request)
        let (stored, name) = (form["stored"], form["name"])
        let regime = PeoplePage.regimes.first { $0 == form["regime"] } ?? PersonBody.usualRegime
        // The form shows the allergens of the law chosen before; another law may not have all of them.
        let known = Set(try await source.allergens(of: regime).map(\.rawValue))
        let body = PersonBody(
            regime: regime, allergens: form.all("a.").filter { known.contains($0.key) },
            language: form["language"].isEmpty ? nil : form["language"],
            words: form["words"].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) },
            role: form["role"].isEmpty ? nil : form["role"], colour: Int(form["colour"]))
        let isFirst = try await household.members().isEmpty
        do {
            if stored.isEmpty {
                try await requireFree(name)
            } else if stored != name {
                try await household.rename(stored, to: name)
            }
            _ = try await people.save(name, try JSONCoding.encode(body))
        } catch let problem as Problem where problem.status.code < 500 {
            return try await peoplePage(request, viewer, draft: draft(body, form), error: problem)
        }
        var viewer = viewer
        if isFirst, viewer.device != nil {
            // Whoever adds the first person is this person.
            viewer = try await household.choose(name, secret: nil, keys: [], for: viewer)
        }
        return try await peoplePage(
            request, viewer, name: name, message: texts.text("people.saved", ["name": name]))
    }

    /// The form as it was sent, to be shown again.
    private func draft(_ body: PersonBody, _ form: FormBody) -> PersonDraft {
        var draft = PersonDraft(after: 0)
        draft.stored = form["stored"].isEmpty ? nil : form["stored"]
        draft.name = form["name"]
        draft.role = body.role ?? draft.role
        draft.colour = body.colour ?? draft.colour
        let levels = body.allergens.compactMap { key, level in
            Allergen(rawValue: key).flatMap { allergen in
                AllergenProfile.Sensitivity(rawValue: level).map { (allergen, $0) }
            }
        }
        draft.profile = AllergenProfile(
            name: draft.name, regime: body.regime, allergens: Dictionary(uniqueKeysWithValues: levels),
            language: body.language, words: body.words)
        return draft
    }
}
