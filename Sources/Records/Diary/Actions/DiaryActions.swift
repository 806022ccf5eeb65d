import Catalogue
import Core
import Foundation
import Household
import Foods
import Store

/// What people do with diaries, for every front end; here whose they may open, settings and files. Runs on a thread of
/// its own, because SQLite blocks.
///
/// A refusal is a ``DiaryProblem``. Each front end has one list of what it makes of them.
package actor DiaryActions {
    private let executor = ThreadExecutor(label: "diary")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated let store: OutcomeStore
    nonisolated let diary: Diary
    private nonisolated let household: Household
    let search: FoodSearch
    private let clock: @Sendable () -> Date

    package init(_ store: OutcomeStore, catalogue: Catalogue, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        diary = Diary(store)
        household = Household(store, now: clock)
        search = FoodSearch(diary, catalogue: catalogue)
        self.clock = clock
    }

    package var now: Date { clock() }

    // MARK: Access

    /// Opens the diary of a member; it begins when it is first opened.
    ///
    /// A diary is its member's, and of adults where the member is a child without a PIN; others read it if they may.
    /// What is locked by a PIN is closed until the member's private pages are open on the device.
    ///
    /// - Parameter name: in any spelling; nil for the diary of whoever asks.
    /// - Throws: `IdentityProblem`; ``DiaryProblem/closed`` for a diary that is not theirs, whether or not there is one.
    package func access(to name: String?, for identity: Identity) throws -> OpenDiary {
        guard let member = try household.member(named: name ?? identity.person()), member.role != .guest else {
            throw DiaryProblem.closed
        }
        let level = try level(of: identity, in: member)
        _ = try person(member.name)
        return OpenDiary(person: member.name, level: level, hasPIN: member.lock != .none)
    }

    private func level(of identity: Identity, in member: Member) throws -> DiaryLevel {
        if identity.holder == .key { return .own }
        guard identity.role == .adult, let own = identity.member else { throw DiaryProblem.closed }
        if own.id == member.id {
            guard identity.isOpen else { throw IdentityProblem.locked(member.name) }
            return .own
        }
        // A PIN stays one: nobody opens a diary by making its owner a child.
        if member.role == .child, member.lock == .none { return .own }
        guard try diary.readers(of: member.name).contains(own.name) else { throw DiaryProblem.closed }
        guard identity.isOpen else { throw IdentityProblem.locked(own.name) }
        return .read
    }

    /// Opens any diary, for whoever may read the database's file: also one whose owner has left the household.
    ///
    /// - Parameter begins: true adds a new person to the household, with an empty diary.
    /// - Returns: nil if there is no such diary.
    /// - Throws: ``DiaryProblem/closed`` for a guest, who begins no diary; `HouseholdProblem` for a wrong name.
    package func openStored(_ name: String, begins: Bool) throws -> OpenDiary? {
        if let person = try diary.person(name) { return OpenDiary(person: person.name, level: .own, hasPIN: false) }
        return begins ? try access(to: household.person(named: name), for: .key) : nil
    }

    /// The names of the people with a diary.
    package func owners() throws -> [String] { try diary.people().map(\.name) }

    /// People whose diary this person may read: children, and those who allowed it.
    package func readable(by reader: String) throws -> [String] {
        let children = try household.members().filter { $0.role == .child }.map(\.name)
        return try children + diary.shared(with: reader).filter { !children.contains($0) }
    }

    /// The other adults of the household.
    package func possibleReaders(of opened: OpenDiary) throws -> [String] {
        try household.members().filter { $0.role == .adult && $0.name != opened.person }.map(\.name)
    }

    package func setReader(_ reader: String, of opened: OpenDiary, isAllowed: Bool) throws {
        try diary.setReader(reader, of: opened.owned(), isAllowed: isAllowed)
    }

    // MARK: Settings

    package func person(of opened: OpenDiary) throws -> Diary.Person { try person(opened.person) }

    func person(_ name: String) throws -> Diary.Person {
        if let person = try diary.person(name) { return person }
        let new = Diary.Person(name: name, zone: TimeZone.current.identifier)
        try diary.save(new)
        return new
    }

    /// A reader does not see who else reads.
    package func settings(of opened: OpenDiary) throws -> DiarySettings {
        let person = try person(opened.person)
        return DiarySettings(
            person: person.name, zone: person.zone, level: opened.level,
            readers: opened.level == .own ? try diary.readers(of: person.name) : [], encouragement: person.isEncouraged)
    }

    /// Sets what is given: all of it, or nothing where a part is refused.
    ///
    /// - Parameters:
    ///   - zone: IANA name of the time zone of new entries.
    ///   - encouragement: whether pages say what goes well.
    ///   - weight: becomes the weight of today.
    package func set(
        zone: String? = nil, encouragement: Bool? = nil, goal: UserGoal? = nil, weight: Decimal? = nil,
        of opened: OpenDiary
    ) throws {
        var person = try person(opened.owned())
        if let zone {
            guard TimeZone(identifier: zone) != nil else { throw DiaryProblem.badZone(zone) }
            person.zone = zone
        }
        let today = Day(of: now, in: person.timeZone)
        if let fault = goal?.fault(on: today) { throw DiaryProblem.badGoal(fault) }
        person.goal = goal ?? person.goal
        person.isEncouraged = encouragement ?? person.isEncouraged
        try diary.save(person)
        if let weight { try diary.setWeight(weight, on: today, of: person.name) }
    }

    // MARK: Files

    package func remove(_ opened: OpenDiary) async throws { try await removeDiary(of: opened.owned()) }

    package func removeDiary(of person: String) async throws {
        _ = try diary.remove(person)
        try await store.forgetDeleted()
    }

    package func exported(_ opened: OpenDiary) throws -> DiaryFile { try diary.exported(opened.owned()) }

    package func exportedCSV(_ opened: OpenDiary) throws -> Data { try diary.exportedCSV(opened.owned()) }

    /// Adds the entries and weights of a file, on the caller's thread: a large file takes minutes.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading, at the beginning of the file; stays open.
    ///   - progress: receives the bytes that were read and the bytes of the file, 0 if unknown.
    package nonisolated func importFile(
        at descriptor: Int32, into opened: OpenDiary, mostWholeBytes: Int = .max,
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> ImportReport {
        do {
            return try diary.importFile(
                in: ImportSource(descriptor, progress: progress), into: opened.owned(), mostWholeBytes: mostWholeBytes)
        } catch DiaryProblem.badEntry(let detail), DiaryProblem.badWeight(let detail) {
            throw DiaryProblem.badFile(detail)
        }
    }
}

package enum DiaryLevel: String, Sendable, Codable, CaseIterable { case own, read }

/// A diary that somebody may see. Only ``DiaryActions`` makes one, so that no diary is used unchecked.
package struct OpenDiary: Sendable {
    /// The member whose diary it is, in the stored spelling.
    package let person: String
    package let level: DiaryLevel
    /// True where a PIN guards the diary: no device keeps anything of it.
    package let hasPIN: Bool

    fileprivate init(person: String, level: DiaryLevel, hasPIN: Bool) {
        self.person = person
        self.level = level
        self.hasPIN = hasPIN
    }

    /// The member whose diary it is, for what readers may not do.
    @discardableResult
    package func owned() throws(DiaryProblem) -> String {
        guard level == .own else { throw DiaryProblem.readOnly(person) }
        return person
    }
}

package struct DiarySettings: Sendable, Codable {
    package let person, zone: String
    package let level: DiaryLevel
    package let readers: [String]
    /// Whether the pages may say that something goes well.
    package let encouragement: Bool
}
