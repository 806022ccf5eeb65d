import Allergens
import Baskets
import Core
import Foundation
import Groceries
import HTTPAPI
import Household
import Kinds
import Presentation
import Store

/// Stores people and reviews, and has the stored photos judged again when they change. Runs on its own thread, because
/// SQLite blocks.
actor PeopleService: APIPeople {
    private let executor = ThreadExecutor(label: "people")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let household: Household
    private let engine: TablesightEngine
    private let live: LiveConfiguration
    private let journal: Journal
    private let judge: StoredPhotosJudge
    private let load: @Sendable () throws -> [AllergenProfile]

    /// - Parameter load: the people to judge for, after a change.
    init(
        _ store: OutcomeStore, engine: TablesightEngine, live: LiveConfiguration, journal: Journal,
        judge: StoredPhotosJudge, load: @escaping @Sendable () throws -> [AllergenProfile]
    ) {
        self.store = store
        household = Household(store)
        self.engine = engine
        self.live = live
        self.journal = journal
        self.judge = judge
        self.load = load
    }

    // MARK: People

    func people() throws -> Data {
        try JSONCoding.encode(
            try household.members().map { ShownPerson($0) }
                + live.chosenElsewhere(than: store).map { ShownPerson(chosen: $0) })
    }

    func person(_ name: String) throws -> Data? {
        if let member = try household.member(named: name) { return try JSONCoding.encode(ShownPerson(member)) }
        return try chosen(name).map { try JSONCoding.encode(ShownPerson(chosen: $0)) }
    }

    /// The person of this name who is judged for in this run only.
    private func chosen(_ name: String) throws -> AllergenProfile? {
        try live.chosenElsewhere(than: store).first { DisplayName.areEqual($0.name, name) }
    }

    func save(_ typed: String, _ json: Data) async throws -> Bool {
        let request = try PersonRequest(json)
        let isNew = try HouseholdService.explaining {
            if var member = try household.member(named: typed) {
                member.profile = try request.profile(named: member.name, engine)
                if let role = request.role { member.role = role }
                if let colour = request.colour { member.colour = colour }
                try household.save(member)
                return false
            }
            let profile = try request.profile(named: typed.printable, engine)
            try household.add(NewMember(typed, role: request.role ?? .adult, profile: profile))
            return true
        }
        try await changed()
        return isNew
    }

    func remove(_ name: String) async throws -> Data? {
        let rules = try engine.models.load(GroceryRules.self, from: "groceries/rules.json")
        guard let report = try MemberErasure(store, rules: rules).erase(name, isAlone: false) else {
            guard let other = try chosen(name) else { return nil }
            throw Problem(
                409, "conflict",
                "\(other.name) is a file of the setting profiles: remove it there, then restart the daemon")
        }
        try await store.forgetDeleted()
        try await changed()
        return try JSONCoding.encode(report)
    }

    private func changed() async throws { try await judge.take(try load()) }

    // MARK: Reviews

    func reviews(of content: String?) throws -> Data { try JSONCoding.encode(try store.reviews(of: content)) }

    func review(_ json: Data, by identity: Identity) async throws -> Data {
        let request: ReviewRequest
        do { request = try JSONCoding.decode(ReviewRequest.self, from: json) } catch {
            throw Problem(
                400, "badRequest", #"a review is {"id","item","allergen","action","value"}; see docs/api.md"#)
        }
        let review = try request.review(by: identity)
        do { try review.check(in: store) } catch let error as StartupError {
            throw Problem(error.exitCode == .noInput ? 404 : 400, "badReview", error.message)
        }
        guard let before = try store.outcomeJSON(forContent: review.content) else { throw Self.unknown }
        let stored = try store.add(review)
        try await apply(review, to: before)
        return try JSONCoding.encode(stored)
    }

    func withdrawReview(_ number: Int64) async throws -> Data? {
        guard let review = try store.withdrawReview(number) else { return nil }
        // The photo may be erased since; then nothing is left to change.
        if let before = try store.outcomeJSON(forContent: review.content) {
            try await apply(review, to: before)
        }
        return try JSONCoding.encode(review)
    }

    /// Applies the stored reviews after one was added or withdrawn, and announces what changed.
    private func apply(_ review: Review, to before: Data) async throws {
        let content = review.content
        if review.action == .readAs { _ = try judge.replay().readAgain(content, in: store) }
        try store.applyReviews(of: content)
        guard let after = try store.outcomeJSON(forContent: content) else { throw Self.unknown }
        let outcome = try JSONCoding.decode(Outcome.self, from: after)
        let changes = VerdictChange.between(try JSONCoding.decode(Outcome.self, from: before), outcome)
        try await journal.replace([], publishing: [try StoredPhotosJudge.event(outcome, changes)])
    }

    private static let unknown = Problem(404, "notFound", "no outcome for this content: GET /v1/history lists them")
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

extension LiveConfiguration {
    /// The people whom photos are judged for in this run and who are no members. They are shown wherever people are: nobody
    /// is judged for unseen.
    func chosenElsewhere(than store: OutcomeStore) throws -> [AllergenProfile] {
        let stored = Set(try store.profiles().map { DisplayName.key(of: $0.name) })
        return current.profiles.filter { $0.name != AllergenProfile.everyone }
            .filter { !stored.contains(DisplayName.key(of: $0.name)) }
    }
}

/// A review as clients send it.
private struct ReviewRequest: Decodable {
    var id: String
    var item: String?
    var allergen: Allergen?
    var action: Review.Action
    var value: String?
    /// With the daemon's own key only: a device reviews for whoever uses it.
    var by: String?

    func review(by identity: Identity) throws -> Review {
        guard (item?.count ?? 0) <= 500 else {
            throw Problem(400, "badRequest", "item is the name of a dish, at most 500 characters")
        }
        let reviewer: String
        if identity.holder == .key, let by {
            do { reviewer = try DisplayName(by).shown } catch {
                throw Problem(400, "badRequest", "by is the reviewer's name: \(error.detail)")
            }
        } else {
            reviewer = try identity.person()
            guard by.map({ DisplayName.areEqual($0, reviewer) }) ?? true else {
                throw Problem(403, "forbidden", "this device reviews for \(reviewer): leave `by` out")
            }
        }
        return Review(
            content: id, item: item ?? Review.everything, allergen: allergen, action: action, value: value,
            reviewer: reviewer, made: Date().timeIntervalSince1970)
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

    func profile(named name: String, _ engine: TablesightEngine) throws -> AllergenProfile {
        let interpreter = try engine.allergens()
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
        if let language, try !engine.wordings().languages.contains(language) {
            throw Problem(400, "badRequest", "no texts in the language \(language)")
        }
        return AllergenProfile(
            name: name, regime: regime.name, allergens: watched, language: language, words: own.isEmpty ? nil : own)
    }
}
