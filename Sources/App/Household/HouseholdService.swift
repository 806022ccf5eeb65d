import Core
import Foundation
import HTTP
import Hashing
import Household
import Store
import Synchronization

/// Members, their devices and PINs for the API and the pages, on a thread of its own, because SQLite and PINs block.
package actor HouseholdService: APIHousehold {
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

    private nonisolated func forgetKnown() { known.withLock { $0 = [:] } }

    /// - Throws: ``HouseholdProblem/unknown(_:)``.
    nonisolated func found(_ name: String) throws -> Member {
        guard let member = try household.member(named: name) else { throw HouseholdProblem.unknown(name) }
        return member
    }

    /// Does it, forgets what was known of devices, and explains errors.
    func changing<Value>(_ body: () throws -> Value) throws -> Value {
        defer { forgetKnown() }
        return try Self.explaining(body)
    }

    /// Turns the household's errors into problem details.
    static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let problem as HouseholdProblem {
            switch problem {
            case .unknown(let name):
                throw Problem(404, "notFound", "no \(name.printable) in this household: GET /v1/members lists them")
            case .taken(let name): throw Problem(409, "conflict", "\(name.printable) is in this household already")
            case .bad(let detail): throw Problem(400, "badRequest", detail)
            case .refused: throw Problem(403, "wrongPIN", "this is not the PIN")
            case .tooMany(let seconds):
                throw Problem(429, "tooMany", "too many wrong PINs: wait", retryAfter: seconds)
            case .unavailable: throw Problem(503, "notReady", "there is not enough memory to check a PIN: try again")
            }
        }
    }

    // MARK: Devices

    func devices() async throws -> [APIDevice] {
        let members = try household.members()
        return try household.devices().map { device in
            APIDevice(
                id: device.id, name: device.name, paired: Self.text(device.paired), seen: device.seen.map(Self.text),
                pairedBy: device.pairedBy, member: members.first { $0.id == device.member }?.name)
        }
    }

    func remove(device id: Int64) async throws -> Bool { try changing { try household.removeDevice(id) } }

    func newCode(by device: Int64?) async throws -> APIPairingCode {
        let (code, expires) = try household.newCode(by: device)
        return APIPairingCode(code: code, expires: Self.text(expires))
    }

    func isOpen(_ code: String) async throws -> Bool { try household.isPairing(code) }

    func pair(_ code: String, name: String) async throws -> String? { try household.pair(code, name: name) }

    func signOut(_ identity: Identity) async throws {
        guard let device = identity.device else { return }
        try changing { try household.signOut(device) }
    }

    // MARK: Members

    func members() async throws -> [APIMember] {
        try household.members().map { member in
            APIMember(
                name: member.name, role: member.role.rawValue, colour: member.colour, lock: member.lock.rawValue,
                ends: member.ends.map(Self.text),
                removal: member.removal.map { .init(askedBy: $0.askedBy, opens: Self.text($0.opens)) })
        }
    }

    func choose(_ name: String, secret: String?, keys: [String], for identity: Identity) async throws -> Identity {
        try changing {
            let member = try found(name)
            guard let device = identity.device else { return try self.identity(ofKeyFor: member.name) }
            var opens = false
            if member.lock == .key || member.lock == .password, try household.members(ofKeys: keys).contains(member.id)
            {
                opens = true
            } else if let secret {
                try household.check(secret, of: member.id, on: device)
                opens = true
            }
            try household.use(device, by: member.id, opens: opens)
            return try changed(device, identity)
        }
    }

    func chooseGuest(_ name: String?, for identity: Identity) async throws -> Identity {
        try changing {
            let devices = try household.devices()
            let former = devices.first { $0.id == identity.device }?.member
            if let former, try household.member(former)?.role == .guest,
                devices.filter({ $0.member == former }).count == 1
            {
                // A device has one guest at a time.
                _ = try household.remove(former)
            }
            let taken = Set(try household.members().map { DisplayName.key(of: $0.name) })
            // A number distinguishes guests without a name.
            let free = (1...).lazy.map { $0 == 1 ? "Guest" : "Guest \($0)" }
                .first { !taken.contains(DisplayName.key(of: $0)) }
            let member = try household.add(
                NewMember(name.flatMap { $0.isEmpty ? nil : $0 } ?? free ?? "", role: .guest))
            guard let device = identity.device else { return try self.identity(ofKeyFor: member.name) }
            try household.use(device, by: member.id)
            return try changed(device, identity)
        }
    }

    private func changed(_ device: Int64, _ identity: Identity) throws -> Identity {
        try household.devices().first { $0.id == device }.map { try self.identity(of: $0).0 } ?? identity
    }

    func setPIN(_ pin: String?, for identity: Identity) async throws {
        try changing {
            let member = try found(try identity.person())
            guard identity.isOpen else { throw Self.locked(member.name) }
            if let pin {
                try household.setPIN(pin, of: member.id, on: identity.device)
            } else {
                try household.removePIN(of: member.id, on: identity.device)
            }
        }
    }

    static func locked(_ name: String) -> Problem {
        Problem(
            403, "locked", "the private pages of \(name.printable) are locked: PUT /v1/session with the PIN opens them")
    }

    func askRemoval(of name: String, by identity: Identity) async throws {
        try changing {
            let member = try found(name)
            // The daemon's own key opens at once: it belongs to whoever runs the daemon.
            guard identity.holder != .key else { return try household.removePIN(of: member.id) }
            try household.askRemoval(of: member.id, by: try identity.person())
        }
    }

    func cancelRemoval(of name: String, by identity: Identity) async throws {
        try changing {
            let member = try found(name)
            let isOwner = identity.member?.id == member.id
            guard identity.holder == .key || isOwner || member.removal?.askedBy == identity.member?.name else {
                throw Problem(403, "forbidden", "only \(member.name.printable), or who asked, takes it back")
            }
            guard try household.cancelRemoval(of: member.id) else {
                throw Problem(404, "notFound", "nobody asked for the removal of this PIN")
            }
        }
    }

    private static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}

extension Identity.Member {
    init(_ member: Member) {
        self.init(id: member.id, name: member.name, role: member.role.identity, colour: member.colour)
    }
}

extension Member.Role {
    var identity: Identity.Role {
        switch self {
        case .adult: .adult
        case .child: .child
        case .guest: .guest
        }
    }
}
