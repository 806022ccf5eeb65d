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
    package enum Role: String, Sendable, Hashable, Comparable, Codable, CaseIterable {
        case guest, child, adult, key

        package static func < (one: Self, other: Self) -> Bool {
            allCases.prefix { $0 != other }.contains(one)
        }
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
        /// The name of the adult who asked.
        package var askedBy: String
        /// When the lock opens, seconds since 1970.
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

    /// The daemon's own key, for nobody.
    package static let key = Identity(holder: .key, member: nil, role: .key, isOpen: true)

    /// The name of the person who acts.
    ///
    /// - Throws: ``IdentityProblem/nobody(isKey:)``.
    package func person() throws(IdentityProblem) -> String {
        guard let member else { throw .nobody(isKey: holder == .key) }
        return member.name
    }
}

/// Why an action is refused to whoever asks, whatever the action is.
package enum IdentityProblem: Error, Sendable, Hashable {
    /// Nobody was chosen on the device, or named with the daemon's own key.
    case nobody(isKey: Bool)
    /// The daemon's own key named somebody who is no member.
    case stranger(String)
    /// The private pages of this person are closed on the device.
    case locked(String)
}
