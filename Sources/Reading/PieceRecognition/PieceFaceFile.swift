import Core

/// `face` of a piece in `piece-sets/<name>.json`: `"none"`, or an object with one of `pips`, `glyph` and `symbol`.
struct PieceFaceFile: Decodable {
    struct Pips: Decodable { var max: Int }

    struct Templates: Decodable {
        struct Template: Decodable {
            var name: String
            var value: Int?
            /// Six hexadecimal digits per row, 24 rows.
            var bits: String
        }
        var templates: [Template]
    }

    var pips: Pips?
    var glyph: Templates?
    var symbol: Templates?

    private enum CodingKeys: String, CodingKey { case pips, glyph, symbol }

    init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard word == "none" else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "face is \"none\" or {pips}, {glyph} or {symbol}, not \(word)"))
            }
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        pips = try container.decodeIfPresent(Pips.self, forKey: .pips)
        glyph = try container.decodeIfPresent(Templates.self, forKey: .glyph)
        symbol = try container.decodeIfPresent(Templates.self, forKey: .symbol)
    }

    func face(key: String) throws(PieceSetFile.Problem) -> PieceFace {
        switch (pips, glyph, symbol) {
        case (nil, nil, nil): return .none
        case (let pips?, nil, nil):
            guard (1...9).contains(pips.max) else {
                throw .init(key: "\(key).pips.max", detail: "\(pips.max): give 1 to 9")
            }
            return .pips(most: pips.max)
        case (nil, let glyph?, nil): return .glyph(try Self.templates(glyph, key: "\(key).glyph"))
        case (nil, nil, let symbol?): return .symbol(try Self.templates(symbol, key: "\(key).symbol"))
        default: throw .init(key: key, detail: "give one of pips, glyph and symbol")
        }
    }

    private static func templates(_ file: Templates, key: String) throws(PieceSetFile.Problem) -> [FaceTemplate] {
        guard !file.templates.isEmpty, file.templates.count <= 500 else {
            throw .init(key: "\(key).templates", detail: "\(file.templates.count): give 1 to 500")
        }
        var templates: [FaceTemplate] = []
        for (index, one) in file.templates.enumerated() {
            let digits = Array(one.bits.utf8)
            let size = FaceTemplate.size
            guard !one.name.isEmpty, digits.count == 6 * size else {
                throw .init(
                    key: "\(key).templates[\(index)]", detail: "give a name, and bits of \(size) rows of 6 digits")
            }
            let rows = (0..<size).compactMap { row in
                UInt32(String(decoding: digits[6 * row..<6 * row + 6], as: UTF8.self), radix: 16)
            }
            guard rows.count == size, rows.contains(where: { $0 != 0 }) else {
                throw .init(key: "\(key).templates[\(index)].bits", detail: "write hexadecimal digits, not all 0")
            }
            templates.append(FaceTemplate(name: one.name, value: one.value, rows: rows))
        }
        return templates
    }
}
