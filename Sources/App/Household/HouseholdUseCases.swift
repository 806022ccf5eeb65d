import Core
import Foundation
import HTTP
import Hashing
import Household
import Store
import Synchronization

/// Members, their devices and PINs; it also finds out who a request comes from. Runs on a thread of its own, because
/// SQLite and PINs block.
package actor HouseholdUseCases: APIIdentities {
    private let executor = ThreadExecutor(label: "household")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let household: Household
    /// Identities are remembered for a moment, so that a page of many parts asks the database once.
    private let known = Mutex<[String: Known]>([:])

    private struct Known {
        var identity: Identity
        var until: ContinuousClock.Instant
        /// When the guest who uses the device ends.
        var ends: Int64?
    }

    /// A device that another process revoked keeps its access for at most this time.
    private static let memory = Duration.seconds(2)
    /// How exactly the last request of a device is noted.
    private static let seenSeconds: Int64 = 3600
    private static let mostKnown = 1000
    private static let longestToken = 200

    private let clock: @Sendable () -> Date
    /// SHA-256 of the daemon's own key.
    let keyDigest: [UInt8]

    package init(_ household: Household, key: String = "", clock: @escaping @Sendable () -> Date = Date.init) {
        self.household = household
        keyDigest = SHA256.digest(of: key.utf8)
        self.clock = clock
    }

    private nonisolated var now: Int64 { Int64(clock().timeIntervalSince1970) }

    // MARK: Identities

    package nonisolated func identity(ofToken token: String) -> Identity? {
        guard token.utf8.count <= Self.longestToken else { return nil }
        let now = ContinuousClock.now
        if let entry = known.withLock({ $0[token] }), entry.until > now, entry.ends.map({ $0 > self.now }) ?? true {
            return entry.identity
        }
        guard let device = try? household.device(ofToken: token), let (identity, ends) = try? identity(of: device)
        else {
            return nil
        }
        known.withLock { known in
            if known.count >= Self.mostKnown { known = known.filter { $0.value.until > now } }
            known[token] = Known(identity: identity, until: now + Self.memory, ends: ends)
        }
        let seconds = self.now
        if (device.seen ?? 0) + Self.seenSeconds <= seconds {
            // A full disk must not keep a device out.
            try? household.note(device.id, seen: seconds / Self.seenSeconds * Self.seenSeconds)
        }
        return identity
    }

    /// - Returns: also when a guest who uses the device ends.
    private nonisolated func identity(of device: Device) throws -> (Identity, ends: Int64?) {
        let members = try household.members()
        guard let member = members.first(where: { $0.id == device.member }) else {
            // In a house without an adult, whoever comes first adds the people.
            let hasAdult = members.contains { $0.role == .adult }
            let role: Identity.Role = hasAdult ? .guest : .adult
            return (Identity(holder: .device(device.id), member: nil, role: role, isOpen: false), nil)
        }
        let isOpen = member.lock == .none || (device.openUntil ?? 0) > now
        let identity = Identity(
            holder: .device(device.id), member: .init(member), role: member.role.identity, isOpen: isOpen,
            removal: member.removal.map { .init(askedBy: $0.askedBy, opens: $0.opens) })
        return (identity, member.ends)
    }

    package nonisolated func identity(ofKeyFor name: String?) throws -> Identity {
        guard let name else { return Identity(holder: .key, member: nil, role: .key, isOpen: true) }
        guard let member = try household.member(named: name) else {
            throw Problem(403, "noMember", "no \(name.printable) in this household: GET /v1/members lists them")
        }
        return Identity(holder: .key, member: .init(member), role: .key, isOpen: true)
    }

    package nonisolated func addDevice(named name: String) throws -> String { try household.addDevice(name: name) }

    /// Asks the database again with the next request of each device.
    nonisolated func forgetIdentities() { known.withLock { $0 = [:] } }

    func changing<Value>(_ body: () throws -> Value) rethrows -> Value {
        defer { forgetIdentities() }
        return try body()
    }

    // MARK: Members

    /// The name of the household; nil if it has none.
    func name() throws -> String? { try household.name() }

    /// Everybody, in the order in which they came.
    func members() throws -> [Member] { try household.members() }

    /// The member of this name in any spelling, or nil.
    func member(named name: String) throws -> Member? { try household.member(named: name) }

    func found(_ name: String) throws -> Member {
        guard let member = try household.member(named: name) else { throw HouseholdProblem.unknown(name) }
        return member
    }

    /// Gives a member another name, in everything that is theirs.
    func rename(_ name: String, to new: String) throws {
        try changing { try household.rename(try found(name).id, to: new) }
    }

    /// Remembers who uses the device.
    ///
    /// - Parameters:
    ///   - secret: the PIN, or the password of an earlier version; nil leaves the private pages closed, unless nothing
    ///     locks them.
    ///   - keys: keys of diaries of an earlier version that the device has.
    /// - Throws: ``HouseholdProblem`` for an unknown name, a wrong PIN, and too many of them.
    /// - Returns: who uses the device now.
    func choose(
        _ name: String, secret: String? = nil, keys: [String] = [], for identity: Identity
    ) throws -> Identity {
        try changing {
            let member = try found(name)
            guard let device = identity.device else { return try self.identity(ofKeyFor: member.name) }
            var opens = false
            if member.isLockedByEarlierVersion, try household.members(ofKeys: keys).contains(member.id) {
                opens = true
            } else if let secret {
                try household.check(secret, of: member.id, on: device)
                opens = true
            }
            try household.use(device, by: member.id, opens: opens)
            return try changed(device, identity)
        }
    }

    /// Adds a guest, who uses the device from now on, for a day.
    ///
    /// - Parameter name: a free one is found for nil or an empty text.
    func chooseGuest(_ name: String?, for identity: Identity) throws -> Identity {
        try changing {
            let devices = try household.devices()
            let former = devices.first { $0.id == identity.device }?.member
            if let former, try household.member(former)?.role == .guest,
                devices.filter({ $0.member == former }).count == 1
            {
                // A device has one guest at a time.
                _ = try household.remove(former)
            }
            let typed = name.flatMap { $0.isEmpty ? nil : $0 }
            let member = try household.add(NewMember(try typed ?? freeGuestName("Guest"), role: .guest))
            guard let device = identity.device else { return try self.identity(ofKeyFor: member.name) }
            try household.use(device, by: member.id)
            return try changed(device, identity)
        }
    }

    /// The word for a guest, with a number while somebody has this name: `Guest 2`.
    func freeGuestName(_ word: String) throws -> String {
        let taken = Set(try household.members().map { DisplayName.key(of: $0.name) })
        return (1...).lazy.map { $0 == 1 ? word : "\(word) \($0)" }
            .first { !taken.contains(DisplayName.key(of: $0)) } ?? word
    }

    private func changed(_ device: Int64, _ identity: Identity) throws -> Identity {
        try household.devices().first { $0.id == device }.map { try self.identity(of: $0).0 } ?? identity
    }
}

/// A member of the household as everybody in it sees them.
struct HouseholdMember: Sendable, Codable, Documented {
    struct Removal: Sendable, Codable {
        var askedBy: String
        /// When the lock opens.
        var opens: Date
    }

    var name: String
    var role: Member.Role
    var colour: Int
    var lock: Member.Lock
    var ends: Date?
    var removal: Removal?

    init(_ member: Member) {
        (name, role, colour, lock) = (member.name, member.role, member.colour, member.lock)
        ends = member.ends.map { Date(seconds: $0) }
        removal = member.removal.map { Removal(askedBy: $0.askedBy, opens: Date(seconds: $0.opens)) }
    }

    static let about: String? = "A member of the household as everybody in it sees them."
    static let fields = [
        "colour": Field("Number of the picture's colour.", range: 1...4),
        "lock": Field(
            "What opens the private pages; password and key are of an earlier version, until a PIN is chosen."),
        "ends": Field("When a guest ends."), "removal": Field("Somebody asked for the removal of the PIN."),
    ]
}

/// Who uses a device.
struct Session: Sendable, Codable, Documented {
    enum Role: String, Sendable, Codable, CaseIterable {
        case guest, child, adult, key

        init(_ role: Identity.Role) {
            switch role {
            case .guest: self = .guest
            case .child: self = .child
            case .adult: self = .adult
            case .key: self = .key
            }
        }
    }

    var member: String?
    var role: Role
    var isOpen: Bool
    var device: Int64?

    init(_ identity: Identity) {
        (member, role) = (identity.member?.name, Role(identity.role))
        (isOpen, device) = (identity.isOpen, identity.device)
    }

    static let fields = ["isOpen": Field("True if the member's private pages are open on this device.")]
}
