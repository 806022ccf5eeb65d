/// The first directory of a TIFF or EXIF block: entries of twelve bytes, found by tag.
struct TIFFDirectory: Sendable {
    /// One entry: the size of its type, the number of values, and their location.
    struct Entry: Sendable {
        var type: Int
        var count: Int
        /// Offset within the block, not checked against its end.
        var valuesAt: Int
        var valueSize: Int
    }

    let block: ByteView
    let endian: ByteView.Endian
    /// Offset of the first entry.
    let start: Int
    let entryCount: Int

    /// Nil if the byte order, the magic number or the offset is invalid, or if the block ends within the directory.
    init?(first block: ByteView) {
        if block.spells("II") { endian = .little } else if block.spells("MM") { endian = .big } else { return nil }
        guard block.u16(2, endian) == 42, let offset = block.u32(4, endian), offset >= 8,
            let count = block.u16(offset, endian), block.holds(offset + 2, count * 12)
        else { return nil }
        self.block = block
        start = offset + 2
        entryCount = count
    }

    /// Sizes of the types 1…12 of TIFF 6.0, and of 13, a directory offset.
    private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

    /// Offset of the entry of `tag` in the block.
    func place(_ tag: Int) -> Int? {
        (0..<entryCount).lazy.map { start + $0 * 12 }.first { block.u16($0, endian) == tag }
    }

    /// The tag of the first entry whose values are not all within the block.
    var firstEntryBeyondEnd: Int? {
        (0..<entryCount).lazy.map { start + $0 * 12 }.first { place in
            guard let entry = entry(at: place) else { return false }
            return !block.holds(entry.valuesAt, entry.count * entry.valueSize)
        }.flatMap { block.u16($0, endian) }
    }

    func entry(_ tag: Int) -> Entry? { place(tag).flatMap(entry(at:)) }

    private func entry(at place: Int) -> Entry? {
        guard let type = block.u16(place + 2, endian), let count = block.u32(place + 4, endian),
            Self.sizes.indices.contains(type), Self.sizes[type] > 0
        else { return nil }
        let size = Self.sizes[type]
        guard count * size > 4 else { return Entry(type: type, count: count, valuesAt: place + 8, valueSize: size) }
        guard let offset = block.u32(place + 8, endian) else { return nil }
        return Entry(type: type, count: count, valuesAt: offset, valueSize: size)
    }

    /// The value at `index` of a BYTE, SHORT or LONG entry.
    func number(_ entry: Entry, _ index: Int) -> Int? {
        guard index >= 0, index < entry.count else { return nil }
        let place = entry.valuesAt + index * entry.valueSize
        return switch entry.type {
        case 1: block[place].map(Int.init)
        case 3: block.u16(place, endian)
        case 4, 13: block.u32(place, endian)
        default: nil
        }
    }

    /// The first value of `tag`.
    func number(_ tag: Int) -> Int? { entry(tag).flatMap { number($0, 0) } }
}
