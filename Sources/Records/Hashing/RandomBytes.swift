/// Random bytes of the system, and the one maker of tokens.
package enum RandomBytes {
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// 160 random bits, as letters and digits: it fits into a cookie, a header and an address.
    package static func token() -> String { SHA256.hexadecimal(make(20)) }
}
