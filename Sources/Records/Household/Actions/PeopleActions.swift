import Allergens
import Core
import Foundation
import Store

/// What an adult says of a person, in the words of whoever typed it; ``PeopleActions`` checks it.
package struct PersonInput: Sendable, Hashable {
    /// The law that names the allergens; nil for the usual one.
    package var regime: String?
    /// Levels by the names of allergens.
    package var allergens: [String: AllergenProfile.Sensitivity]
    package var language: String?
    /// Own words, which warn wherever they occur.
    package var words: [String]
    /// Nil keeps what is stored.
    package var role: Member.Role?
    /// 1 to 4; nil keeps what is stored.
    package var colour: Int?

    package init(
        regime: String? = nil, allergens: [String: AllergenProfile.Sensitivity] = [:], language: String? = nil,
        words: [String] = [], role: Member.Role? = nil, colour: Int? = nil
    ) {
        (self.regime, self.allergens, self.language) = (regime, allergens, language)
        (self.words, self.role, self.colour) = (words, role, colour)
    }

    package init(of member: Member) {
        let profile = member.profile
        self.init(
            regime: profile.regime,
            allergens: Dictionary(uniqueKeysWithValues: profile.allergens.map { ($0.key.rawValue, $0.value) }),
            language: profile.language, words: profile.words ?? [], role: member.role, colour: member.colour)
    }

    /// Letters of an own word, and the most words.
    package static let (wordLengths, mostWords) = (2...40, 50)
}

/// What an adult does with the people whom photos are judged for, for every front end. Stored photos are judged again when
/// somebody changes. Runs on a thread of its own, because SQLite blocks.
package actor PeopleActions {
    private let executor = ThreadExecutor(label: "people")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated let actions: HouseholdActions
    private nonisolated let data: [any MemberData]
    private nonisolated let interpreter: @Sendable () throws -> AllergenInterpreter
    private let languages: @Sendable () throws -> [String]
    private let judged: (any JudgedPhotos)?

    private nonisolated var household: Household { actions.household }
    private nonisolated var store: OutcomeStore { household.store }

    /// - Parameters:
    ///   - data: what other features keep of members.
    ///   - allergens: reads the models when it is first called, as `languages` does.
    ///   - judged: nil in a program that judges no photos.
    package init(
        _ actions: HouseholdActions, data: [any MemberData],
        allergens: @escaping @Sendable () throws -> AllergenInterpreter,
        languages: @escaping @Sendable () throws -> [String], judged: (any JudgedPhotos)?
    ) {
        (self.actions, self.data, interpreter) = (actions, data, allergens)
        (self.languages, self.judged) = (languages, judged)
    }

    /// Those who are judged for in this run only: the setting `profiles` names them by a file.
    package func chosen() throws -> [AllergenProfile] { try judged?.chosenElsewhere(than: store) ?? [] }

    /// The one of ``chosen()`` with this name in any spelling, or nil.
    package func chosen(_ name: String) throws -> AllergenProfile? {
        try chosen().first { DisplayName.areEqual($0.name, name) }
    }

    /// The allergens that a law names.
    package nonisolated func allergens(of regime: String?) throws -> [Allergen] { try law(regime).allergens }

    private nonisolated func law(_ name: String?) throws -> AllergenRegime {
        try interpreter().regime(named: name ?? "eu14")
    }

    // MARK: Changes

    /// Stores a person: somebody new, or what changes of a member.
    ///
    /// - Returns: the person, and true for a new one.
    @discardableResult
    package func save(_ name: String, _ input: PersonInput) async throws -> (person: Member, isNew: Bool) {
        let stored = try household.member(named: name)
        let profile = try profile(input, named: stored?.name ?? name.printable)
        if var member = stored {
            member.profile = profile
            (member.role, member.colour) = (input.role ?? member.role, input.colour ?? member.colour)
            try household.save(member)
        } else {
            try household.add(NewMember(name, role: input.role ?? .adult, profile: profile))
        }
        actions.forgetIdentities()
        try await judged?.takeHousehold()
        return (try await actions.member(name), stored == nil)
    }

    /// Stores a person with a name that is free, or renames a member and stores the rest. Whoever adds the first person is
    /// this person.
    ///
    /// - Parameter former: the name of the member before; nil for a new one.
    /// - Returns: who uses the device now.
    @discardableResult
    package func save(
        _ name: String, formerly former: String?, _ input: PersonInput, by viewer: Identity
    ) async throws -> Identity {
        let isFirst = try household.members().isEmpty
        // A refused part leaves the name as it is.
        _ = try profile(input, named: name)
        if let former {
            if former != name { try await actions.rename(former, to: name) }
        } else {
            try requireFree(name)
        }
        try await save(name, input)
        return isFirst && viewer.device != nil ? try await actions.choose(name, for: viewer) : viewer
    }

    /// Adds a person, who uses the device from then on.
    ///
    /// - Parameter pin: nil for none.
    package func add(
        _ name: String, _ input: PersonInput, pin: String?, for viewer: Identity
    ) async throws -> Identity {
        // A refused PIN adds nobody.
        if let pin { try Household.check(pin: pin) }
        try requireFree(name)
        try await save(name, input)
        let chosen = try await actions.choose(name, for: viewer)
        if let pin { try await actions.setPIN(pin, for: chosen) }
        return chosen
    }

    /// Adds a guest, who uses the device from then on.
    package func addGuest(_ name: String, _ input: PersonInput, for viewer: Identity) async throws -> Identity {
        try requireFree(name)
        let chosen = try await actions.chooseGuest(name, for: viewer)
        if let name = chosen.member?.name { try await save(name, input) }
        return chosen
    }

    /// Saving a person of a known name changes that person, which a form for a new one must not do.
    private func requireFree(_ name: String) throws {
        if let other = try household.member(named: name) { throw HouseholdProblem.taken(other.name) }
    }

    private func profile(_ input: PersonInput, named name: String) throws -> AllergenProfile {
        let law = try law(input.regime)
        var watched: [Allergen: AllergenProfile.Sensitivity] = [:]
        for (name, level) in input.allergens.sorted(by: { $0.key < $1.key }) {
            guard let allergen = Allergen(rawValue: name), law.allergens.contains(allergen) else {
                throw HouseholdProblem.noAllergen(name, of: law)
            }
            watched[allergen] = level
        }
        var words: [String] = []
        for word in input.words.map({ $0.trimmingCharacters(in: .whitespaces) }) where !word.isEmpty {
            guard PersonInput.wordLengths.contains(word.count), word.printable == word else {
                let (least, most) = (PersonInput.wordLengths.lowerBound, PersonInput.wordLengths.upperBound)
                throw HouseholdProblem.bad(
                    "“\(word.printable)”: a word has \(least) to \(most) characters, without control characters")
            }
            if !words.contains(word) { words.append(word) }
        }
        guard words.count <= PersonInput.mostWords else {
            throw HouseholdProblem.bad("at most \(PersonInput.mostWords) words")
        }
        if let language = input.language {
            let known = try languages()
            guard known.contains(language) else { throw HouseholdProblem.noLanguage(language, of: known) }
        }
        return AllergenProfile(
            name: name, regime: law.name, allergens: watched, language: input.language,
            words: words.isEmpty ? nil : words)
    }

    // MARK: Removal

    /// A member, and what there is of them.
    package func report(of name: String) async throws -> (member: Member, report: Member.Report) {
        let member = try await actions.member(name)
        return (member, try report(of: member))
    }

    private nonisolated func report(of member: Member) throws -> Member.Report {
        var report = Member.Report(
            removed: member.name, saved: try store.saved(by: member.id).count,
            devices: try household.devices().count { $0.member == member.id })
        for one in data { try one.count(member, in: &report) }
        return report
    }

    package func removable(_ name: String) async throws -> Member {
        if try household.member(named: name) == nil, let other = try chosen(name) {
            throw HouseholdProblem.inSettings(other.name)
        }
        return try await actions.member(name)
    }

    /// Removes a person with everything that is theirs: diary, lists, prices.
    ///
    /// - Returns: what there was.
    package func remove(_ name: String) async throws -> Member.Report {
        let report = try erase(try await removable(name), isAlone: false)
        try await store.forgetDeleted()
        actions.forgetIdentities()
        try await judged?.takeHousehold()
        return report
    }

    /// Erases a member on the caller's thread.
    ///
    /// - Parameter isAlone: true if no daemon has the database open; the file is then rewritten.
    @discardableResult
    package nonisolated func erase(_ member: Member, isAlone: Bool) throws -> Member.Report {
        let report = try report(of: member)
        for one in data { try one.erase(member.name) }
        _ = try household.remove(member.id)
        try store.removeTraces(isAlone: isAlone)
        return report
    }

    // MARK: First steps

    /// True in a household without people and photos, which begins with the first steps.
    package func isNewHousehold() throws -> Bool { try household.members().isEmpty && !hasPhotos() }

    /// What is done of the first steps.
    package func firstSteps(for viewer: Identity) throws -> FirstSteps {
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
package struct FirstSteps: Sendable {
    package var people: [Member]
    package var hasPhotos: Bool
    /// True if another phone or browser is connected besides the one that asks.
    package var hasPhones: Bool
}
