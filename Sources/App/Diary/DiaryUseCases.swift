import Catalogue
import Core
import Diary
import Foundation
import HTTP
import Household
import Foods
import Store

/// What people do with diaries; here whose they may open, settings and files. Runs on a thread of its own, because
/// SQLite blocks.
actor DiaryUseCases {
    private let executor = ThreadExecutor(label: "diary")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: OutcomeStore
    let diary: Diary
    private let household: Household
    let search: FoodSearch
    /// What was removed last from each diary, until the daemon ends.
    var lastRemoved: [String: MealEntry] = [:]
    private let uploads = DiaryUpload.Slots()
    private let clock: @Sendable () -> Date

    init(_ store: OutcomeStore, catalogue: Catalogue, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        diary = Diary(store)
        household = Household(store, now: clock)
        search = FoodSearch(diary, catalogue: catalogue)
        self.clock = clock
    }

    var now: Date { clock() }

    // MARK: Access

    /// Opens the diary of a member; it begins when it is first opened.
    ///
    /// A diary is its member's, and of adults where the member is a child without a PIN; others read it if they may.
    /// What is locked by a PIN is closed until the member's private pages are open on the device.
    ///
    /// - Parameter name: in any spelling; nil for the diary of whoever asks.
    /// - Throws: ``Problem`` 403 `locked`; 404 for a diary that is not theirs, whether or not there is one.
    func access(to name: String?, for identity: Identity) throws -> OpenDiary {
        let wanted = try name ?? identity.person()
        guard let member = try household.member(named: wanted), member.role != .guest else { throw Self.closed }
        let level = try level(of: identity, in: member)
        _ = try person(member.name)
        return OpenDiary(person: member.name, level: level, hasPIN: member.lock != .none)
    }

    private func level(of identity: Identity, in member: Member) throws -> DiaryLevel {
        if identity.holder == .key { return .own }
        guard identity.role == .adult, let own = identity.member else { throw Self.closed }
        if own.id == member.id {
            guard identity.isOpen else { throw HouseholdUseCases.locked(member.name) }
            return .own
        }
        // A PIN stays one: nobody opens a diary by making its owner a child.
        if member.role == .child, member.lock == .none { return .own }
        guard try diary.readers(of: member.name).contains(own.name) else { throw Self.closed }
        guard identity.isOpen else { throw HouseholdUseCases.locked(own.name) }
        return .read
    }

    /// The same answer whether or not there is a diary: its existence is private too.
    private static let closed = Problem(
        404, "noDiary", "there is no such diary for this device: PUT /v1/session says who uses it")

    /// People whose diary this person may read: children, and those who allowed it.
    func readable(by reader: String) throws -> [String] {
        let children = try household.members().filter { $0.role == .child }.map(\.name)
        return try children + diary.shared(with: reader).filter { !children.contains($0) }
    }

    /// The other adults of the household.
    func possibleReaders(of opened: OpenDiary) throws -> [String] {
        try household.members().filter { $0.role == .adult && $0.name != opened.person }.map(\.name)
    }

    func setReader(_ reader: String, of opened: OpenDiary, isAllowed: Bool) throws {
        try diary.setReader(reader, of: opened.owned(), isAllowed: isAllowed)
    }

    // MARK: Settings

    /// The stored settings of a member.
    func person(_ name: String) throws -> Diary.Person {
        if let person = try diary.person(name) { return person }
        let new = Diary.Person(name: name, zone: TimeZone.current.identifier)
        try diary.save(new)
        return new
    }

    /// A reader does not see who else reads.
    func settings(of opened: OpenDiary) throws -> DiarySettings {
        DiarySettings(
            person: opened.person, zone: try person(opened.person).zone, level: opened.level == .own ? .own : .read,
            readers: opened.level == .own ? try diary.readers(of: opened.person) : [],
            encouragement: try person(opened.person).isEncouraged)
    }

    /// Sets what is given.
    func set(_ edit: DiaryEdit, of opened: OpenDiary) throws -> DiarySettings {
        if let zone = edit.zone { try setZone(zone, of: opened) }
        if let encouragement = edit.encouragement { try setEncouraged(encouragement, of: opened) }
        return try settings(of: opened)
    }

    /// Sets the time zone of new entries.
    @discardableResult
    func setZone(_ zone: String, of opened: OpenDiary) throws -> DiarySettings {
        var person = try person(opened.owned())
        guard TimeZone(identifier: zone) != nil else {
            throw Problem(400, "badRequest", "no time zone “\(zone.prefix(60))”: use a name such as Europe/Berlin")
        }
        person.zone = zone
        try diary.save(person)
        return try settings(of: opened)
    }

    // MARK: Files

    /// Deletes a diary with everything in it.
    func remove(_ opened: OpenDiary) async throws {
        _ = try diary.remove(opened.owned())
        try await store.forgetDeleted()
    }

    func exported(_ opened: OpenDiary) throws -> DiaryFile { try diary.exported(opened.owned()) }

    func exportedCSV(_ opened: OpenDiary) throws -> Data { try diary.exportedCSV(opened.owned()) }

    /// Begins an import of entries and weights.
    ///
    /// - Parameter announced: bytes that the client announced, 0 if unknown.
    /// - Throws: ``Problem`` 403 `readOnly`; see ``DiaryUpload``.
    func upload(announced: Int, into opened: OpenDiary) throws -> DiaryUpload {
        try opened.owned()
        return try DiaryUpload(to: diary, announced: announced, in: uploads)
    }
}

/// A diary that somebody may see. Only ``DiaryUseCases/access(to:for:)`` makes one, so that no diary is used unchecked.
struct OpenDiary: Sendable {
    /// The member whose diary it is, in the stored spelling.
    let person: String
    let level: DiaryLevel
    /// True where a PIN guards the diary: no device keeps anything of it.
    let hasPIN: Bool

    fileprivate init(person: String, level: DiaryLevel, hasPIN: Bool) {
        self.person = person
        self.level = level
        self.hasPIN = hasPIN
    }

    /// The member whose diary it is, for what readers may not do.
    ///
    /// - Throws: ``Problem`` 403 `readOnly`.
    @discardableResult
    func owned() throws(Problem) -> String {
        guard level == .own else {
            throw Problem(403, "readOnly", "\(person) lets you read this diary, but not change it")
        }
        return person
    }
}

/// The settings of a diary.
struct DiarySettings: Sendable, Codable {
    enum Level: String, Sendable, Codable, CaseIterable { case own, read }

    let person, zone: String
    let level: Level
    let readers: [String]
    /// Whether the pages may say that something goes well.
    let encouragement: Bool
}

extension DiaryProblem: AppError {
    package var problem: Problem {
        switch self {
        case .noDiary: Problem(404, "noDiary", "this diary was deleted")
        case .noEntry: Problem(404, "notFound", "no such entry: it may have been removed")
        case .noReader:
            Problem(409, "noReader", "only members of the household can read a diary: add the person first")
        case .badEntry(let detail): Problem(400, "badRequest", detail)
        }
    }
}

extension PortionRefusal: AppError {
    package var problem: Problem { Problem(422, code.rawValue, detail) }
}

extension ImportProblem: AppError {
    package var problem: Problem { Problem(400, isArchive ? "archive" : "badFile", detail) }
}
