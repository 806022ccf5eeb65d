import Allergens
import Core
import Foundation
import HTTP
import Household
import Kinds
import Store

/// The people whom photos are judged for, and the first steps of a new household. Stored photos are judged again when
/// somebody changes. Runs on a thread of its own, because SQLite blocks.
actor PeopleUseCases {
    private let executor = ThreadExecutor(label: "people")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let cases: HouseholdUseCases
    private let store: OutcomeStore
    private let erasure: MemberErasure
    private nonisolated let allergens: AllergenInterpreter
    private nonisolated let wordings: Wordings
    private let judged: any JudgedPhotos

    private nonisolated var household: Household { cases.household }

    init(
        _ cases: HouseholdUseCases, store: OutcomeStore, erasure: MemberErasure, allergens: AllergenInterpreter,
        wordings: Wordings, judged: any JudgedPhotos
    ) {
        self.cases = cases
        self.store = store
        self.erasure = erasure
        self.allergens = allergens
        self.wordings = wordings
        self.judged = judged
    }

    /// The stored people, and those whom the setting `profiles` names by a file.
    func people() throws -> [Person] {
        try household.members().map { Person($0) } + chosen().map { Person(chosen: $0) }
    }

    /// The person of this name in any spelling, or nil.
    func person(_ name: String) throws -> Person? {
        if let member = try household.member(named: name) { return Person(member) }
        return try chosen(name).map { Person(chosen: $0) }
    }

    /// Those who are judged for in this run only.
    func chosen() throws -> [AllergenProfile] { try judged.chosenElsewhere(than: store) }

    private func chosen(_ name: String) throws -> AllergenProfile? {
        try chosen().first { DisplayName.areEqual($0.name, name) }
    }

    /// The allergens that a law names.
    nonisolated func allergens(of regime: PersonBody.Regime?) throws -> [Allergen] {
        try allergens.regime(named: (regime ?? .eu14).rawValue).allergens
    }

    /// The allergen that a person means by a word: its name in any language, or the beginning of one. Nil if none or
    /// several are meant.
    nonisolated func allergen(named word: String, among all: [Allergen]) -> Allergen? {
        let typed = Folding.fold(word)
        let names = all.map { allergen in
            (
                allergen,
                [allergen.rawValue.lowercased()]
                    + wordings.languages.compactMap { wordings[$0].map { Folding.fold($0.name(of: allergen)) } }
            )
        }
        if let found = names.first(where: { $0.1.contains(typed) }) { return found.0 }
        let begun = names.filter { typed.count >= Self.shortestBeginning && $0.1.contains { $0.hasPrefix(typed) } }
        return begun.count == 1 ? begun[0].0 : nil
    }

    /// Letters that make a beginning telling: `erdnuss` of `Erdnüsse`.
    private static let shortestBeginning = 4

    // MARK: Changes

    /// Stores a person: somebody new, or what an API client wants to change.
    ///
    /// - Returns: true if the person is new.
    func save(_ name: String, _ body: PersonBody) async throws -> Bool {
        let stored = try household.member(named: name)
        if var member = stored {
            try body.change(&member, allergens, wordings)
            try household.save(member)
        } else {
            try household.add(try body.newMember(named: name, allergens, wordings))
        }
        try await judgeAgain()
        return stored == nil
    }

    /// Stores the form of a person. Whoever adds the first person is this person.
    ///
    /// - Returns: who uses the device now.
    func save(_ draft: PersonDraft, by viewer: Identity) async throws -> Identity {
        let (name, isFirst) = (draft.name, try household.members().isEmpty)
        if let stored = draft.stored {
            if stored != name { try await cases.rename(stored, to: name) }
        } else {
            try requireFree(name)
        }
        _ = try await save(name, draft.body)
        return isFirst && viewer.device != nil ? try await cases.choose(name, for: viewer) : viewer
    }

    /// Adds a person, who uses the device from then on.
    ///
    /// - Parameter pin: nil for none.
    func add(_ name: String, _ body: PersonBody, pin: String?, for viewer: Identity) async throws -> Identity {
        try requireFree(name)
        _ = try await save(name, body)
        let chosen = try await cases.choose(name, for: viewer)
        if let pin { try await cases.setPIN(pin, for: chosen) }
        return chosen
    }

    /// Adds a guest, who uses the device from then on.
    func addGuest(_ name: String, _ body: PersonBody, for viewer: Identity) async throws -> Identity {
        try requireFree(name)
        let chosen = try await cases.chooseGuest(name, for: viewer)
        if let name = chosen.member?.name { _ = try await save(name, body) }
        return chosen
    }

    /// Saving a person of a known name changes that person, which a form for a new one must not do.
    private func requireFree(_ name: String) throws {
        if let other = try household.member(named: name) { throw HouseholdProblem.taken(other.name) }
    }

    /// Removes a person with everything that is theirs: diary, lists, prices.
    ///
    /// - Returns: what there was; nil if there is no such person.
    func remove(_ name: String) async throws -> MemberErasure.Report? {
        guard let report = try erasure.erase(name, isAlone: false) else {
            guard let other = try chosen(name) else { return nil }
            throw Problem(
                409, "conflict",
                "\(other.name) is a file of the setting profiles: remove it there, then restart the daemon")
        }
        try await store.forgetDeleted()
        try await judgeAgain()
        return report
    }

    private func judgeAgain() async throws {
        cases.forgetIdentities()
        try await judged.takeHousehold()
    }

    // MARK: First steps

    /// True in a household without people and photos, which begins with the first steps.
    func isNewHousehold() throws -> Bool { try household.members().isEmpty && !hasPhotos() }

    /// What is done of the first steps.
    func firstSteps(for viewer: Identity) throws -> FirstSteps {
        FirstSteps(
            people: try household.members(), hasPhotos: try hasPhotos(),
            hasPhones: try household.devices().contains { $0.id != viewer.device })
    }

    private func hasPhotos() throws -> Bool {
        try store.refreshSummaries(limit: 1)
        return try !store.history(HistoryFilter(), limit: 1).isEmpty
    }
}

/// What is done of the first steps in a new household.
struct FirstSteps: Sendable {
    var people: [Member]
    var hasPhotos: Bool
    /// True if another phone or browser is connected besides the one that asks.
    var hasPhones: Bool
}
