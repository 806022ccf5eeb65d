internal import CCrypto

/// Keys of NATS users: Ed25519 pairs, written in base 32 with a check sum. The server knows the public key (`U…`), the
/// client holds the seed (`SU…`).
package enum NKey {
    /// Characters of a seed.
    package static let length = 58

    /// The kind of a user's key and the mark of a seed, as nkeys writes them: the first letters are U, and SU.
    private static let (user, seed): (UInt8, UInt8) = (20 << 3, 18 << 3)

    /// The public key of a user's seed; nil if the seed is damaged or not a user's.
    package static func publicKey(ofSeed text: String) -> String? {
        guard let bytes = decode(text), bytes.count == 36, checkSum(bytes.dropLast(2)) == Array(bytes.suffix(2)),
            bytes[0] & 0xF8 == seed, (bytes[0] & 7) << 5 | bytes[1] >> 3 == user
        else { return nil }
        return publicKey(of: Array(bytes[2..<34]))
    }

    package static func make() -> (seed: String, publicKey: String)? {
        let raw = RandomBytes.make(32)
        guard let key = publicKey(of: raw) else { return nil }
        let bytes = [seed | user >> 5, (user & 31) << 3] + raw
        return (encode(bytes + checkSum(bytes)), key)
    }

    private static func publicKey(of raw: [UInt8]) -> String? {
        guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, raw, raw.count) else { return nil }
        defer { EVP_PKEY_free(key) }
        var (open, count) = ([UInt8](repeating: 0, count: 32), 32)
        guard EVP_PKEY_get_raw_public_key(key, &open, &count) == 1, count == 32 else { return nil }
        let bytes = [user] + open
        return encode(bytes + checkSum(bytes))
    }

    /// CRC-16/XMODEM, low byte first.
    private static func checkSum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let sum = bytes.reduce(UInt16(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { value, _ in
                value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021
            }
        }
        return [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Base 32 (RFC 4648) without padding.
    private static func encode(_ bytes: [UInt8]) -> String {
        var (text, bits, count) = ([UInt8](), 0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | Int(byte), count + 8)
            while count >= 5 {
                text.append(letters[bits >> (count - 5) & 31])
                count -= 5
            }
            bits &= 31
        }
        if count > 0 { text.append(letters[bits << (5 - count) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decode(_ text: String) -> [UInt8]? {
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for letter in text.utf8 {
            guard let value = letters.firstIndex(of: letter) else { return nil }
            (bits, count) = (bits << 5 | value, count + 5)
            if count >= 8 {
                bytes.append(UInt8(bits >> (count - 8) & 255))
                count -= 8
            }
            bits &= 255
        }
        return bytes
    }
}
