/// Walks a PNG's chunks to IEND, with their checksums.
struct PNGStructure {
    private(set) var header = ImageHeader(.png)

    init(_ reader: ByteReader) {
        var at = 8
        var hasData = false
        while true {
            guard let length = reader.big32(at), reader.count - at >= 12, length <= reader.count - at - 12 else {
                header.shortfall = "the file ends within a chunk, at byte \(reader.count)"
                return
            }
            let data = at + 8
            guard reader.big32(data + length) == Self.checksum(reader.bytes, at + 4, length + 4) else {
                header.shortfall = "the checksum of the chunk at byte \(at) is wrong"
                return
            }
            if reader.has("IHDR", at: at + 4) {
                header.width = reader.big32(data)
                header.height = reader.big32(data + 4)
            } else if reader.has("IDAT", at: at + 4) {
                hasData = true
            } else if reader.has("eXIf", at: at + 4) {
                header.orientation = EXIFOrientation.read(reader, at: data)
            } else if reader.has("IEND", at: at + 4) {
                header.shortfall = hasData ? nil : "there is no picture data"
                return
            }
            at = data + length + 4
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    /// CRC-32 as PNG (ISO 15948) has it.
    private static func checksum(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var value: UInt32 = 0xFFFF_FFFF
                for at in start..<start + count { value = table[Int((value ^ UInt32(bytes[at])) & 0xFF)] ^ value >> 8 }
                return Int(value ^ 0xFFFF_FFFF)
            }
        }
    }
}
