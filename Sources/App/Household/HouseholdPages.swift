import HTTP
import Hashing
import Household

extension HouseholdService: WebHousehold {
    func name() async throws -> String? { try household.name() }

    func rename(_ name: String, to new: String) async throws {
        try changing {
            let member = try found(name)
            try household.rename(member.id, to: new)
        }
    }

    func owners(ofKeys keys: [String]) async throws -> [String] {
        let ids = try household.members(ofKeys: keys)
        return try household.members().filter { ids.contains($0.id) }.map(\.name)
    }

    func signIn(key: String, device name: String) async throws -> String? {
        guard SHA256.areEqual(SHA256.digest(of: key.utf8), keyDigest) else { return nil }
        return try addDevice(named: name)
    }
}
