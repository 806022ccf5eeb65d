import Allergens
import Baskets
import Core
import Foundation
import Groceries
import HTTP
import Household
import Kinds
import Presentation
import Store

/// Stores people, and has the stored photos judged again when they change. Runs on its own thread, because
/// SQLite blocks.
actor PeopleService: APIPeople {
    private let executor = ThreadExecutor(label: "people")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let household: Household
    private let models: ModelFolder
    private let allergens: AllergenInterpreter
    private let wordings: Wordings
    private let judged: any JudgedPhotos

    init(
        _ store: OutcomeStore, models: ModelFolder, allergens: AllergenInterpreter, wordings: Wordings,
        judged: any JudgedPhotos
    ) {
        self.store = store
        household = Household(store)
        self.models = models
        self.allergens = allergens
        self.wordings = wordings
        self.judged = judged
    }

    // MARK: People

    func people() throws -> Data {
        try JSONCoding.encode(
            try household.members().map { ShownPerson($0) }
                + judged.chosenElsewhere(than: store).map { ShownPerson(chosen: $0) })
    }

    func person(_ name: String) throws -> Data? {
        if let member = try household.member(named: name) { return try JSONCoding.encode(ShownPerson(member)) }
        return try chosen(name).map { try JSONCoding.encode(ShownPerson(chosen: $0)) }
    }

    /// The person of this name who is judged for in this run only.
    private func chosen(_ name: String) throws -> AllergenProfile? {
        try judged.chosenElsewhere(than: store).first { DisplayName.areEqual($0.name, name) }
    }

    func save(_ typed: String, _ json: Data) async throws -> Bool {
        let request = try PersonRequest(json)
        let isNew = try HouseholdService.explaining {
            if var member = try household.member(named: typed) {
                member.profile = try request.profile(named: member.name, allergens, wordings)
                if let role = request.role { member.role = role }
                if let colour = request.colour { member.colour = colour }
                try household.save(member)
                return false
            }
            let profile = try request.profile(named: typed.printable, allergens, wordings)
            try household.add(NewMember(typed, role: request.role ?? .adult, profile: profile))
            return true
        }
        try await judged.takeHousehold()
        return isNew
    }

    func remove(_ name: String) async throws -> Data? {
        let rules = try models.load(GroceryRules.self, from: "groceries/rules.json")
        guard let report = try MemberErasure(store, rules: rules).erase(name, isAlone: false) else {
            guard let other = try chosen(name) else { return nil }
            throw Problem(
                409, "conflict",
                "\(other.name) is a file of the setting profiles: remove it there, then restart the daemon")
        }
        try await store.forgetDeleted()
        try await judged.takeHousehold()
        return try JSONCoding.encode(report)
    }
}

/// A person in a list.
private struct ShownPerson: Encodable {
    var profile: AllergenProfile
    var role: String?
    var colour: Int?
    /// True for somebody whom the setting `profiles` names by a file; only the setting changes them.
    var readOnly: Bool?

    init(_ member: Member) {
        profile = member.profile
        role = member.role.rawValue
        colour = member.colour
    }

    init(chosen: AllergenProfile) {
        profile = chosen
        readOnly = true
    }

    private enum CodingKeys: String, CodingKey { case role, colour, readOnly }

    func encode(to encoder: any Encoder) throws {
        try profile.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(role, forKey: .role)
        try container.encodeIfPresent(colour, forKey: .colour)
        try container.encodeIfPresent(readOnly, forKey: .readOnly)
    }
}

/// A person as clients send them. The name is in the address.
private struct PersonRequest: Decodable {
    var regime: String?
    var allergens: [String: String]?
    var language: String?
    var words: [String]?
    var role: Member.Role?
    /// 1 to 4.
    var colour: Int?

    private static let (shortest, longest, most) = (2, 40, 50)

    init(_ json: Data) throws {
        do { self = try JSONCoding.decode(PersonRequest.self, from: json) } catch {
            throw Problem(
                400, "badRequest",
                #"a person is {"regime":"eu14","allergens":{"milk":"severe"},"language":"de","words":["kiwi"],"role":"adult"}"#
            )
        }
    }

    func profile(named name: String, _ interpreter: AllergenInterpreter, _ wordings: Wordings) throws -> AllergenProfile
    {
        guard let regime = try? interpreter.regime(named: self.regime ?? "eu14") else {
            throw Problem(400, "badRequest", "no regime \(self.regime ?? ""): use eu14, us9, canada, aunz or japan")
        }
        var watched: [Allergen: AllergenProfile.Sensitivity] = [:]
        for (key, level) in allergens ?? [:] {
            guard let allergen = Allergen(rawValue: key), regime.allergens.contains(allergen) else {
                throw Problem(400, "badRequest", "\(key) is not in the regime \(regime.name)")
            }
            guard let sensitivity = AllergenProfile.Sensitivity(rawValue: level) else {
                throw Problem(400, "badRequest", "\(key): the sensitivity must be mild, moderate, high or severe")
            }
            watched[allergen] = sensitivity
        }
        let own = (words ?? []).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        for word in own where word.count < Self.shortest || word.count > Self.longest || word.printable != word {
            throw Problem(
                400, "badRequest",
                "“\(word.printable)”: a word has \(Self.shortest) to \(Self.longest) characters, without control "
                    + "characters")
        }
        guard own.count <= Self.most else { throw Problem(400, "badRequest", "at most \(Self.most) words") }
        if let language, !wordings.languages.contains(language) {
            throw Problem(400, "badRequest", "no texts in the language \(language)")
        }
        return AllergenProfile(
            name: name, regime: regime.name, allergens: watched, language: language, words: own.isEmpty ? nil : own)
    }
}
