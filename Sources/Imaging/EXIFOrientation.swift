/// Tag 274 of a TIFF directory, as EXIF blocks hold one.
enum EXIFOrientation {
    /// - Parameter start: where the TIFF header lies (`II*\0` or `MM\0*`).
    /// - Returns: 1…8; 1 where the tag is missing or says nonsense.
    static func read(_ reader: ByteReader, at start: Int) -> Int {
        let isBig = reader.has("MM", at: start)
        guard isBig || reader.has("II", at: start),
            let offset = reader.number(start + 4, 4, bigEndian: isBig),
            let count = reader.number(start + offset, 2, bigEndian: isBig)
        else { return 1 }
        for entry in 0..<min(count, 512) {
            let at = start + offset + 2 + entry * 12
            guard let tag = reader.number(at, 2, bigEndian: isBig) else { return 1 }
            if tag == 274, let value = reader.number(at + 8, 2, bigEndian: isBig) {
                return (1...8).contains(value) ? value : 1
            }
        }
        return 1
    }
}
