#if canImport(Glibc)
    import Glibc
#endif

/// Bounds-checked access to a file's bytes. Reads beyond the end return nil, so no offset in a header needs to be
/// trusted.
struct ByteView: Sendable {
    enum Endian: Sendable { case big, little }

    let bytes: [UInt8]
    /// The readable part of `bytes`; offsets are relative to its start.
    let range: Range<Int>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.range = 0..<bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    var count: Int { range.count }

    /// The part of `length` bytes from `start`, shortened to the end of the view.
    func part(_ start: Int, _ length: Int) -> ByteView {
        let low = range.lowerBound + min(max(0, start), count)
        return ByteView(bytes, low..<(low + min(max(0, length), range.upperBound - low)))
    }

    /// True if `length` bytes from `start` lie within the view.
    func holds(_ start: Int, _ length: Int) -> Bool {
        start >= 0 && length >= 0 && start <= count && length <= count - start
    }

    subscript(_ offset: Int) -> UInt8? { holds(offset, 1) ? bytes[range.lowerBound + offset] : nil }

    func u16(_ offset: Int, _ endian: Endian) -> Int? { unsigned(offset, 2, endian) }
    func u24(_ offset: Int, _ endian: Endian) -> Int? { unsigned(offset, 3, endian) }
    func u32(_ offset: Int, _ endian: Endian) -> Int? { unsigned(offset, 4, endian) }

    /// Also nil if the number exceeds `Int.max`.
    func u64(_ offset: Int, _ endian: Endian) -> Int? {
        guard let high = u32(endian == .big ? offset : offset &+ 4, endian),
            let low = u32(endian == .big ? offset &+ 4 : offset, endian), high < 1 << 31
        else { return nil }
        return high << 32 | low
    }

    /// A 32-bit two's complement number.
    func s32(_ offset: Int, _ endian: Endian) -> Int? {
        u32(offset, endian).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    private func unsigned(_ offset: Int, _ length: Int, _ endian: Endian) -> Int? {
        guard holds(offset, length) else { return nil }
        let start = range.lowerBound + offset
        return (0..<length).reduce(0) { sum, index in
            sum << 8 | Int(bytes[start + (endian == .big ? index : length - 1 - index)])
        }
    }

    /// True if the bytes at `offset` equal `text`.
    func spells(_ text: StaticString, at offset: Int = 0) -> Bool {
        guard holds(offset, text.utf8CodeUnitCount) else { return false }
        let start = range.lowerBound + offset
        return text.withUTF8Buffer { wanted in wanted.indices.allSatisfy { bytes[start + $0] == wanted[$0] } }
    }

    /// True if the bytes at `offset` equal `wanted`.
    func has(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
        holds(offset, wanted.count)
            && bytes[(range.lowerBound + offset)..<(range.lowerBound + offset + wanted.count)].elementsEqual(wanted)
    }

    /// The next position of `byte` from `offset`. Uses `memchr`, because the pixels of a JPEG are most of the file.
    func next(_ byte: UInt8, from offset: Int) -> Int? {
        guard holds(offset, 1) else { return nil }
        let length = count - offset
        return bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress?.advanced(by: range.lowerBound + offset),
                let found = memchr(start, Int32(byte), length)
            else { return nil }
            return offset + (UnsafeRawPointer(found) - start)
        }
    }

    /// A copy of the part.
    func copy(_ start: Int, _ length: Int) -> [UInt8] { Array(bytes[part(start, length).range]) }
}
