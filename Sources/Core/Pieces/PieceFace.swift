/// The design on a piece's face: `"none"` in the file, or an object with one of `pips`, `glyph` and `symbol`.
public enum PieceFace: Sendable {
    case none
    /// One to `most` pips, at most 9. Rectangles of two squares show two such numbers.
    case pips(most: Int)
    /// A letter or numeral, in any colour that differs from the piece's.
    case glyph([FaceTemplate])
    /// A filled shape in the piece's own colour on a dark background.
    case symbol([FaceTemplate])
}

/// A glyph or symbol as a binary image that fills its square.
public struct FaceTemplate: Sendable, Hashable {
    /// For example `A` or `star`.
    public var name: String
    /// The number it stands for, if any.
    public var value: Int?
    /// Row by row from the top, with the leftmost cell in the highest of `size` bits.
    public var rows: [UInt32]

    /// Cells on each side.
    public static let size = 24

    /// Row by row, 1 for a set cell.
    public var coverage: [Float] {
        (0..<Self.size * Self.size).map { isSet(row: $0 / Self.size, column: $0 % Self.size) ? 1 : 0 }
    }

    public func isSet(row: Int, column: Int) -> Bool { rows[row] >> UInt32(Self.size - 1 - column) & 1 == 1 }
}

extension PieceFace: Decodable {
    private struct Pips: Decodable { var max: Int }
    private struct Templates: Decodable {
        let templates: [FaceTemplate]

        private enum CodingKeys: CodingKey { case templates }

        init(from decoder: any Decoder) throws {
            templates = try decoder.container(keyedBy: CodingKeys.self).decode([FaceTemplate].self, forKey: .templates)
            guard (1...500).contains(templates.count) else {
                throw DataFileProblem(at: decoder, key: "templates", "\(templates.count): give 1 to 500")
            }
        }
    }

    private struct File: Decodable {
        var pips: Pips?
        var glyph, symbol: Templates?
    }

    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard word == "none" else {
                throw DataFileProblem(at: decoder, "face is \"none\" or {pips}, {glyph} or {symbol}, not \(word)")
            }
            self = .none
            return
        }
        let file = try File(from: decoder)
        switch (file.pips, file.glyph, file.symbol) {
        case (nil, nil, nil): self = .none
        case (let pips?, nil, nil):
            guard (1...9).contains(pips.max) else {
                throw DataFileProblem(at: decoder, key: "pips.max", "\(pips.max): give 1 to 9")
            }
            self = .pips(most: pips.max)
        case (nil, let glyph?, nil): self = .glyph(glyph.templates)
        case (nil, nil, let symbol?): self = .symbol(symbol.templates)
        default: throw DataFileProblem(at: decoder, "give one of pips, glyph and symbol")
        }
    }
}

extension FaceTemplate: Decodable {
    private struct File: Decodable {
        var name: String
        var value: Int?
        /// Six hexadecimal digits a row, 24 rows.
        var bits: String
    }

    public init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        let digits = Array(file.bits.utf8)
        let size = Self.size
        guard !file.name.isEmpty, digits.count == 6 * size else {
            throw DataFileProblem(at: decoder, "give a name, and bits of \(size) rows of 6 digits")
        }
        let rows = (0..<size).compactMap { row in
            UInt32(String(decoding: digits[6 * row..<6 * row + 6], as: UTF8.self), radix: 16)
        }
        guard rows.count == size, rows.contains(where: { $0 != 0 }) else {
            throw DataFileProblem(at: decoder, key: "bits", "write hexadecimal digits, not all 0")
        }
        self.init(name: file.name, value: file.value, rows: rows)
    }
}
