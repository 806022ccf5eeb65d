internal import CCrypto
import Foundation
import Hashing

/// A hash of a PIN or password by scrypt (RFC 7914), computed by OpenSSL's libcrypto, with its salt and parameters.
package struct SecretHash: Sendable, Hashable {
    /// Cost of one hash. Memory is 128 × blockSize × 2^cost bytes.
    package struct Parameters: Sendable, Hashable {
        /// Logarithm of the number of blocks, 1…24.
        package var cost: Int
        package var blockSize: Int
        package var lanes: Int

        package init(cost: Int, blockSize: Int, lanes: Int) {
            self.cost = cost
            self.blockSize = blockSize
            self.lanes = lanes
        }

        /// 32 MiB, three lanes: OWASP's Password Storage Cheat Sheet (2024), above the interactive parameters of the
        /// scrypt paper and of libsodium (cost 14, one lane).
        package static let usual = Parameters(cost: 15, blockSize: 8, lanes: 3)
    }

    package var salt: Data
    /// 32 bytes.
    package var hash: Data
    package var parameters: Parameters

    init(salt: Data, hash: Data, parameters: Parameters) {
        self.salt = salt
        self.hash = hash
        self.parameters = parameters
    }

    /// Hashes a secret with a new salt of 16 random bytes.
    ///
    /// - Throws: ``HouseholdProblem/unavailable`` if there is not enough memory.
    package init(of secret: String, parameters: Parameters = .usual) throws(HouseholdProblem) {
        salt = Data(RandomBytes.make(16))
        hash = try Self.scrypt(secret, salt, parameters)
        self.parameters = parameters
    }

    /// Compares in constant time.
    package func matches(_ secret: String) throws(HouseholdProblem) -> Bool {
        let other = try Self.scrypt(secret, salt, parameters)
        return SHA256.areEqual(Array(hash), Array(other))
    }

    private static func scrypt(
        _ secret: String, _ salt: Data, _ parameters: Parameters
    ) throws(HouseholdProblem) -> Data {
        guard (1...24).contains(parameters.cost), (1...64).contains(parameters.blockSize),
            (1...64).contains(parameters.lanes)
        else { throw .unavailable }
        let (text, salt) = (Array(secret.utf8).map { CChar(bitPattern: $0) }, Array(salt))
        var key = [UInt8](repeating: 0, count: 32)
        let most = UInt64(256 * parameters.blockSize) << UInt64(parameters.cost)
        let status = EVP_PBE_scrypt(
            text, text.count, salt, salt.count, 1 << UInt64(parameters.cost), UInt64(parameters.blockSize),
            UInt64(parameters.lanes), most + 1 << 20, &key, key.count)
        guard status == 1 else { throw .unavailable }
        return Data(key)
    }
}
