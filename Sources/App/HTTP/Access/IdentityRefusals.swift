import Core

/// What the pages and the API make of each refusal.
extension IdentityProblem: AppError {
    package var problem: Problem {
        switch self {
        case .nobody(isKey: true):
            Problem(403, "noMember", "say for whom: send the name of a member as \(Identity.header)")
        case .nobody:
            Problem(
                403, "noMember",
                "say who uses this device: PUT /v1/session with {\"member\":\"…\"}; GET /v1/members lists the names")
        case .stranger(let name):
            Problem(403, "noMember", "no \(name.printable) in this household: GET /v1/members lists them")
        case .locked(let name):
            Problem(
                403, "locked",
                "the private pages of \(name.printable) are locked: PUT /v1/session with the PIN opens them")
        }
    }
}

extension Identity {
    /// Names a member for requests with the daemon's own key. From a device it changes nothing.
    package static let header = "Tablesight-Member"
}

/// Finds out who a request comes from.
package protocol APIIdentities: Sendable {
    func identity(ofToken token: String) -> Identity?
    /// The identity of the daemon's own key.
    ///
    /// - Parameter member: a name in any spelling; nil for nobody.
    func identity(ofKeyFor member: String?) throws -> Identity
    /// Stores a device that came with the daemon's own key.
    ///
    /// - Returns: its token.
    func addDevice(named name: String) throws -> String
}
