/// Walks a JPEG's markers to the end of its last scan: decoders answer cut files with a picture and no error.
struct JPEGStructure {
    private(set) var header = ImageHeader(.jpeg)

    init(_ reader: ByteReader) {
        header.scans = 0
        header.shortfall = "the end of the picture is missing"
        var at = 2
        while let first = reader.byte(at), let marker = reader.byte(at + 1) {
            guard first == 0xFF else {
                header.shortfall = "no marker where one belongs, at byte \(at)"
                return
            }
            switch marker {
            case 0xFF: at += 1  // fill byte
            case 0x01, 0xD0...0xD8: at += 2
            case 0xD9:
                header.shortfall = header.scans == 0 ? "there is no picture data" : nil
                return
            default:
                guard let length = reader.big16(at + 2), length >= 2 else { return }
                if marker == 0xE1, reader.has("Exif\0\0", at: at + 4), header.orientation == 1 {
                    header.orientation = EXIFOrientation.read(reader, at: at + 10)
                }
                // Frame headers, but for the tables DHT, JPG and DAC that lie between them.
                if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                    header.height = reader.big16(at + 5)
                    header.width = reader.big16(at + 7)
                }
                at += 2 + length
                if marker == 0xDA {
                    header.scans += 1
                    at = Self.endOfScan(reader.bytes, from: at)
                }
            }
        }
    }

    /// The next marker that is neither a stuffed byte nor a restart.
    private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var at = start
            while at + 1 < bytes.count {
                if bytes[at] == 0xFF {
                    let next = bytes[at + 1]
                    if next != 0, !(0xD0...0xD7).contains(next), next != 0xFF { return at }
                }
                at += 1
            }
            return bytes.count
        }
    }
}
