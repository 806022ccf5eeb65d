import Core
import Foundation
import Hashing
import Store
import Synchronization

/// What people do with the household, its devices and PINs, for every front end; here who somebody is. Runs on a thread of
/// its own, because SQLite and PINs block.
///
/// A refusal is a ``HouseholdProblem`` or an `IdentityProblem`. Each front end has one list of what it makes of them.
package actor HouseholdActions {
    private let executor = ThreadExecutor(label: "household")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated let household: Household
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

    package func callAsFunction<Result: Sendable>(_ body: @Sendable (Household) throws -> Result) throws -> Result {
        try body(household)
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
            removal: member.removal)
        return (identity, member.ends)
    }

    /// - Throws: `IdentityProblem.stranger` for an unknown name.
    package nonisolated func identity(ofKeyFor name: String?) throws -> Identity {
        var identity = Identity.key
        guard let name else { return identity }
        guard let member = try household.member(named: name) else { throw IdentityProblem.stranger(name) }
        identity.member = .init(member)
        return identity
    }

    package nonisolated func addDevice(named name: String) throws -> String { try household.addDevice(name: name) }

    /// Asks the database again with the next request of each device.
    nonisolated func forgetIdentities() { known.withLock { $0 = [:] } }

    func changing<Value>(_ body: () throws -> Value) rethrows -> Value {
        defer { forgetIdentities() }
        return try body()
    }

    // MARK: Members

    /// - Throws: ``HouseholdProblem/unknown(_:of:)`` with the names that there are.
    package func member(_ name: String) throws -> Member {
        if let member = try household.member(named: name) { return member }
        throw HouseholdProblem.unknown(name, of: try household.members().map(\.name))
    }

    /// Gives a member another name, in everything that is theirs.
    package func rename(_ name: String, to new: String) throws {
        try changing { try household.rename(try member(name).id, to: new) }
    }

    /// Remembers who uses the device.
    ///
    /// - Parameters:
    ///   - secret: the PIN, or the password of an earlier version; nil leaves the private pages closed, unless nothing
    ///     locks them.
    ///   - keys: keys of diaries of an earlier version that the device has.
    /// - Throws: ``HouseholdProblem`` for an unknown name, a wrong PIN, and too many of them.
    /// - Returns: who uses the device now.
    package func choose(
        _ name: String, secret: String? = nil, keys: [String] = [], for identity: Identity
    ) throws -> Identity {
        try changing {
            let member = try member(name)
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
    package func chooseGuest(_ name: String?, for identity: Identity) throws -> Identity {
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
    package func freeGuestName(_ word: String) throws -> String {
        let taken = Set(try household.members().map { DisplayName.key(of: $0.name) })
        return (1...).lazy.map { $0 == 1 ? word : "\(word) \($0)" }
            .first { !taken.contains(DisplayName.key(of: $0)) } ?? word
    }

    private func changed(_ device: Int64, _ identity: Identity) throws -> Identity {
        try household.devices().first { $0.id == device }.map { try self.identity(of: $0).0 } ?? identity
    }
}

extension Identity.Member {
    package init(_ member: Member) {
        self.init(id: member.id, name: member.name, role: member.role.identity, colour: member.colour)
    }
}

extension Member {
    /// True if something opens the private pages.
    package var isLocked: Bool { lock != .none }
    /// True for a lock of an earlier version, which opens once more.
    package var isLockedByEarlierVersion: Bool { lock == .password || lock == .key }
}

extension Member.Role {
    package var identity: Identity.Role { Identity.Role(rawValue: rawValue) ?? .guest }
}

extension Date {
    /// - Parameter seconds: since 1970.
    package init(seconds: Int64) { self.init(timeIntervalSince1970: TimeInterval(seconds)) }
}
