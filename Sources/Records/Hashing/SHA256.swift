internal import CCrypto

/// SHA-256 (FIPS 180-4), computed by OpenSSL's libcrypto.
package enum SHA256 {
    /// Bytes of a digest.
    package static let length = 32

    /// The digest of these bytes, 32 bytes.
    package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let stream = SHA256Stream()
        Array(bytes).withUnsafeBytes { stream.update($0) }
        return stream.finish()
    }

    /// HMAC-SHA-256 (RFC 2104) of these bytes, 32 bytes.
    package static func authenticationCode(of bytes: some Sequence<UInt8>, key: some Sequence<UInt8>) -> [UInt8] {
        let (bytes, key) = (Array(bytes), Array(key))
        var code = [UInt8](repeating: 0, count: length)
        var count: UInt32 = 0
        HMAC(EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, &code, &count)
        return code
    }

    /// Compares in constant time.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }

    /// Lower-case hexadecimal digits, two per byte.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// SHA-256 of bytes that arrive in chunks. Not thread-safe.
package final class SHA256Stream {
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    /// The digest of all chunks, 32 bytes; call it once.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.length)
        EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}

/// Random bytes of the system, and the one maker of tokens.
package enum RandomBytes {
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// 160 random bits, as letters and digits: it fits into a cookie, a header and an address.
    package static func token() -> String { SHA256.hexadecimal(make(20)) }
}
