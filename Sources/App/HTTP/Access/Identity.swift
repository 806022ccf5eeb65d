import HTTPTypes
import Hummingbird

/// Who a request comes from: a device, and the person who uses it.
public struct Identity: Sendable, Hashable {
    /// What let the request in.
    public enum Holder: Sendable, Hashable {
        /// The daemon's own key.
        case key
        /// A paired device, by its number.
        case device(Int64)
    }

    /// Roles in the order of what they may do; each may do what those before it may.
    public enum Role: Int, Sendable, Hashable, Comparable, CaseIterable {
        case guest, child, adult, key

        public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    public struct Member: Sendable, Hashable {
        public var id: Int64
        public var name: String
        public var role: Role
        /// Number of the picture's colour, 1 to 4.
        public var colour: Int

        public init(id: Int64, name: String, role: Role, colour: Int) {
            self.id = id
            self.name = name
            self.role = role
            self.colour = colour
        }
    }

    public var holder: Holder
    /// Who uses the device, or for whom the daemon's key acts; nil if nobody was chosen.
    public var member: Member?
    public var role: Role
    /// True if the member's private pages are open on this device.
    public var isOpen: Bool
    /// What the member must know on every page: an adult asked for the removal of the PIN.
    public var removal: Removal?

    public struct Removal: Sendable, Hashable {
        public var askedBy: String
        /// Seconds since 1970.
        public var opens: Int64

        public init(askedBy: String, opens: Int64) {
            self.askedBy = askedBy
            self.opens = opens
        }
    }

    public init(holder: Holder, member: Member?, role: Role, isOpen: Bool, removal: Removal? = nil) {
        self.holder = holder
        self.member = member
        self.role = role
        self.isOpen = isOpen
        self.removal = removal
    }

    /// The number of the device; nil for the daemon's own key.
    public var device: Int64? { if case .device(let id) = holder { id } else { nil } }

    /// The name of the person who acts.
    ///
    /// - Throws: ``Problem`` (403) if nobody was chosen.
    public func person() throws(Problem) -> String {
        guard let member else {
            throw Problem(
                403, "noMember",
                holder == .key
                    ? "say for whom: send the name of a member as \(Self.header)"
                    : "say who uses this device: PUT /v1/session with {\"member\":\"…\"}; GET /v1/members lists the names"
            )
        }
        return member.name
    }

    /// Names a member for requests with the daemon's own key. From a device it changes nothing.
    public static let header = "Tablesight-Member"
}

/// Finds out who a request comes from.
public protocol APIIdentities: Sendable {
    /// The identity of a device's token; nil for an unknown or revoked one.
    func identity(ofToken token: String) -> Identity?
    /// The identity of the daemon's own key.
    ///
    /// - Parameter member: a name in any spelling; nil for nobody.
    /// - Throws: ``Problem`` (403 `noMember`) for an unknown name.
    func identity(ofKeyFor member: String?) throws -> Identity
    /// Stores a device that came with the daemon's own key.
    ///
    /// - Returns: its token.
    func addDevice(named name: String) throws -> String
}
