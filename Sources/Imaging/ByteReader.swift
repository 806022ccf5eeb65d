/// Numbers out of bytes that nobody vouches for: what lies outside is nil, never a trap.
struct ByteReader {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    func byte(_ at: Int) -> Int? { at >= 0 && at < bytes.count ? Int(bytes[at]) : nil }

    func big16(_ at: Int) -> Int? { number(at, 2, bigEndian: true) }
    func big32(_ at: Int) -> Int? { number(at, 4, bigEndian: true) }
    func little16(_ at: Int) -> Int? { number(at, 2, bigEndian: false) }
    func little24(_ at: Int) -> Int? { number(at, 3, bigEndian: false) }
    func little32(_ at: Int) -> Int? { number(at, 4, bigEndian: false) }

    /// 1 to 7 bytes, so that no sum overflows.
    func number(_ at: Int, _ size: Int, bigEndian: Bool) -> Int? {
        guard at >= 0, at <= bytes.count - size else { return nil }
        let part = bytes[at..<at + size]
        return (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ magic: [UInt8], at: Int = 0) -> Bool {
        at >= 0 && at <= bytes.count - magic.count && bytes[at..<at + magic.count].elementsEqual(magic)
    }

    func has(_ magic: String, at: Int = 0) -> Bool { has(Array(magic.utf8), at: at) }
}
