import HTTPTypes
import Hummingbird

/// Who a request comes from: a device, and the person who uses it.
package struct Identity: Sendable, Hashable {
    /// What let the request in.
    package enum Holder: Sendable, Hashable {
        /// The daemon's own key.
        case key
        /// A paired device, by its number.
        case device(Int64)
    }

    /// Roles in the order of what they may do; each may do what those before it may.
    package enum Role: Int, Sendable, Hashable, Comparable, CaseIterable {
        case guest, child, adult, key

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    package struct Member: Sendable, Hashable {
        package var id: Int64
        package var name: String
        package var role: Role
        /// Number of the picture's colour, 1 to 4.
        package var colour: Int

        package init(id: Int64, name: String, role: Role, colour: Int) {
            self.id = id
            self.name = name
            self.role = role
            self.colour = colour
        }
    }

    package var holder: Holder
    /// Who uses the device, or for whom the daemon's key acts; nil if nobody was chosen.
    package var member: Member?
    package var role: Role
    /// True if the member's private pages are open on this device.
    package var isOpen: Bool
    /// What the member must know on every page: an adult asked for the removal of the PIN.
    package var removal: Removal?

    package struct Removal: Sendable, Hashable {
        package var askedBy: String
        /// Seconds since 1970.
        package var opens: Int64

        package init(askedBy: String, opens: Int64) {
            self.askedBy = askedBy
            self.opens = opens
        }
    }

    package init(holder: Holder, member: Member?, role: Role, isOpen: Bool, removal: Removal? = nil) {
        self.holder = holder
        self.member = member
        self.role = role
        self.isOpen = isOpen
        self.removal = removal
    }

    /// The number of the device; nil for the daemon's own key.
    package var device: Int64? { if case .device(let id) = holder { id } else { nil } }

    /// The name of the person who acts.
    ///
    /// - Throws: ``Problem`` (403) if nobody was chosen.
    package func person() throws(Problem) -> String {
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
    package static let header = "Tablesight-Member"
}

/// Finds out who a request comes from.
package protocol APIIdentities: Sendable {
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
